// A fraction of a second has a unit of its own.
use haft::tool;

/// Get the weather.
#[tool(timeout = "1.5s")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
