/// For people.
#[tool(name = "find-user", description = "Find a user by name.")]
pub(crate) async fn find(name: String) -> String {
    name
}
