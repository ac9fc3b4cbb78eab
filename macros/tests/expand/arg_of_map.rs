/// Count words.
#[tool]
fn count(words: HashMap<String, u32>) -> usize {
    words.len()
}
