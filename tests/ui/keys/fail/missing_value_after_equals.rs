// The value was forgotten.
use haft::tool;

/// Get the weather.
#[tool(name = , description = "Get the weather.")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
