// A macro in an attribute is only evaluated in `#[doc = ...]`.
use haft::tool;

/// Get the weather.
#[tool(description = include_str!("weather.md"))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
