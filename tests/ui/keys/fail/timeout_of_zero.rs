// Each call would be over before it begins.
use haft::tool;

/// Get the weather.
#[tool(timeout = "0s")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
