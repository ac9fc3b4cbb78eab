// The value was forgotten, and nothing follows in its place.
use haft::tool;

/// Get the weather.
#[tool(name =)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
