// The provider takes a field with its value.
use haft::tool;

/// Get the weather.
#[tool(option(defer_loading))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
