/// Find a user.
#[tool]
async fn find(
    &self,
    /// The name.
    name: String,
) -> String {
    name
}
