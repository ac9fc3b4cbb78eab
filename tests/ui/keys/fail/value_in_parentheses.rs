// A value stands after `=`.
use haft::tool;

/// Get the weather.
#[tool(name("weather"))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
