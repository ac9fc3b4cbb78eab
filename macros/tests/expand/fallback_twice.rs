/// Find a user.
#[tool]
#[haft::tool(name = "search")]
#[inline]
async fn find(name: String) -> String {
    name
}
