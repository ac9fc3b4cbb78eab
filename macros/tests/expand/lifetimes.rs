/// Find words.
#[tool]
async fn find<'a>(words: Vec<Cow<'a, str>>, language: Cow<'_, str>) -> Option<Cow<'a, str>> {
    None
}
