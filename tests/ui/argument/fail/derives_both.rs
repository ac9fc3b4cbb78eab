// Two derives too many are two mistakes.
use haft::argument;

#[argument]
#[derive(Debug, haft::serde::Deserialize, haft::schemars::JsonSchema)]
struct City {
    name: String,
}

fn main() {}
