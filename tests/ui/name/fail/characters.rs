// Providers refuse other characters, with an error that does not say which tool was meant.
use haft::tool;

/// Get the weather.
#[tool(name = "get weather")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
