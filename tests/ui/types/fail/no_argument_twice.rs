// Two arguments are two mistakes, each at its own type.
use haft::tool;

struct City;

/// Get the distance between two cities.
#[tool]
async fn distance(from: City, to: City) -> u32 {
    let _ = (from, to);
    0
}

fn main() {}
