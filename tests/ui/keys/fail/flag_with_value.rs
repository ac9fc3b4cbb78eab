// There is no other value than the one that the key alone has.
use haft::tool;

/// Get the weather.
#[tool(exclusive = true)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
