// A second derive would be a second implementation, which the compiler reports deep inside of serde.
use haft::{argument, serde::Deserialize};

#[argument]
#[derive(Deserialize)]
struct City {
    name: String,
}

fn main() {}
