/// Tell the time.
#[tool]
#[deprecated = "use `now`"]
fn time() -> String {
    clock()
}
