// Nothing is evaluated: the definition is made once, for all calls.
use haft::tool;

/// Get the weather.
#[tool(option(ttl = ttl()))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
