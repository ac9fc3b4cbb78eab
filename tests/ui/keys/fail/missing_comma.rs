// Keys are separated by commas.
use haft::tool;

/// Get the weather.
#[tool(name = "weather" description = "Get the weather.")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
