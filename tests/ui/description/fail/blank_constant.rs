// The text of a constant is known to the compiler alone, and is checked by it.
use haft::tool;

const WEATHER: &str = " ";

#[tool(description = WEATHER)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
