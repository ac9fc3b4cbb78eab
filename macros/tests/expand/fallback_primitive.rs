/// Make a text.
#[tool(name = "str")]
async fn str() -> String {
    String::new()
}
