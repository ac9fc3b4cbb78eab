// An argument is a type.
use haft::argument;

#[argument]
fn city() {}

fn main() {}
