// The text of a file is known to the compiler alone, and is checked by it.
use haft::tool;

#[doc = include_str!("../blank.md")]
#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
