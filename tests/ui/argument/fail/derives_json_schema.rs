// A second derive would be a second implementation, which the compiler reports deep inside of schemars.
use haft::{argument, schemars::JsonSchema};

#[argument]
#[derive(JsonSchema)]
struct City {
    name: String,
}

fn main() {}
