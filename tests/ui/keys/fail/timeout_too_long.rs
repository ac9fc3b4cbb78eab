// More seconds than there is a number for.
use haft::tool;

/// Get the weather.
#[tool(timeout = "99999999999999999h")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
