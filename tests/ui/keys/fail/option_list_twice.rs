// All options stand in one list.
use haft::tool;

/// Get the weather.
#[tool(option(ttl = 1), option(eager = true))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
