// A JSON object has each field once.
use haft::tool;

/// Get the weather.
#[tool(option(ttl = 1, ttl = 2))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
