// What a union holds cannot be read from JSON.
use haft::argument;

#[argument]
union City {
    number: u32,
}

fn main() {}
