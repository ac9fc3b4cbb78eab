// Where the next option starts must be seen.
use haft::tool;

/// Get the weather.
#[tool(option(ttl = 1 eager = true))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
