/// Tell the time.
#[tool(crate = crate::reexports::haft)]
async fn now(zone: String) -> String {
    zone
}
