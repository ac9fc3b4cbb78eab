/// Delete a file.
#[tool(
    title = "Delete a file",
    destructive,
    idempotent,
    open_world = false,
    exclusive,
    approval,
    timeout = "1500ms",
    strict,
    option(defer_loading = true, cache_control = {"type": "ephemeral", "ttl": ["1h", null, -0.5]})
)]
async fn delete_file(path: String) -> std::io::Result<()> {
    remove(path).await
}
