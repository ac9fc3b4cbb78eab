// The second says nothing new, and one of the two may be meant to be another key.
use haft::tool;

/// Get the weather.
#[tool(exclusive, exclusive)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
