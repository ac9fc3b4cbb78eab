// A hint is on or off.
use haft::tool;

/// Get the weather.
#[tool(idempotent(false))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
