#[derive(::haft::serde::Deserialize)]
#[serde(crate = "::haft::serde")]
#[derive(::haft::schemars::JsonSchema)]
#[schemars(crate = "::haft::schemars")]
enum Search {
    Words { words: Vec<String>, #[serde(flatten)] rest: BTreeMap<String, String> },
}
