// A derive above `#[argument]` is gone when the macro runs, and cannot be told in the macro's words.
use haft::{argument, serde::Deserialize};

#[derive(Deserialize)]
#[argument]
struct City {
    name: String,
}

fn main() {}
