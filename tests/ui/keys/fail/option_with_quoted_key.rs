// A field is written as a name.
use haft::tool;

/// Get the weather.
#[tool(option("ttl" = 1))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
