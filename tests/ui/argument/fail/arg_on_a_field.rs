//! `#[arg]` is for the arguments of a function; on a field stand the attributes of serde and schemars.
use haft::argument;

#[argument]
struct Page {
    #[arg(min = 1)]
    number: u32,
}

fn main() {}
