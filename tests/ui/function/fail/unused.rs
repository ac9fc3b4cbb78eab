// A tool that nothing uses is an unused function, and is reported as one.
#![deny(dead_code)]

use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
