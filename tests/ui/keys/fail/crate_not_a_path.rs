// The path of haft is not in quotes, as it is for serde.
use haft::tool;

/// Get the weather.
#[tool(crate = "::haft")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
