// Only a function can be called.
use haft::tool;

#[tool]
struct Weather;

fn main() {}
