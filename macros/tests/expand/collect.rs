/// Tell the time.
#[tool(collect)]
fn now() -> String {
    clock()
}
