// A relative path would depend on the module that the type stands in.
use haft::argument;

#[argument(crate = haft)]
struct City {
    name: String,
}

fn main() {}
