/// For people.
#[tool(nme = "find", description = " ")]
#[cfg(unix)]
pub async fn find(
    /// The name.
    name: &str,
) -> String {
    name.to_owned()
}
