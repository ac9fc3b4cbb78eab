/// Add numbers.
#[tool]
fn add(first: i64, _: ...) -> i64 {
    first
}
