// An alias has the traits of its type.
use haft::argument;

#[argument]
type City = String;

fn main() {}
