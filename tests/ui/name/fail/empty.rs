// A model calls a tool by its name.
use haft::tool;

/// Get the weather.
#[tool(name = "")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
