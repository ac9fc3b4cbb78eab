// A name is text.
use haft::tool;

/// Get the weather.
#[tool(name = 3)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
