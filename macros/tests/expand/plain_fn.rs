/// Add two numbers.
#[tool]
#[must_use]
fn add(mut a: i64, _b: i64) -> i64 {
    a += _b;
    a
}
