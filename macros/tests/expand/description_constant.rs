#[tool(description = texts::FIND)]
async fn find(name: String) -> String {
    name
}
