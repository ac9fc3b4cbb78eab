// Other than a tool, an argument has no name of its own.
use haft::argument;

#[argument(name = "city")]
struct City {
    name: String,
}

fn main() {}
