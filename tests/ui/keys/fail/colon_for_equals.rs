// A value stands after `=`, not after `:` as it does in a struct.
use haft::tool;

/// Get the weather.
#[tool(name: "weather")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
