#[argument]
enum Search {
    Words {
        words: Vec<String>,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    },
}
