// What serde's attributes mean is serde's to tell.
use haft::argument;

#[argument]
#[serde(rename_al = "lowercase")]
enum Units {
    Celsius,
}

fn main() {}
