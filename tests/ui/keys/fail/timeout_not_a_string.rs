// A number has no unit.
use haft::tool;

/// Get the weather.
#[tool(timeout = 30)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
