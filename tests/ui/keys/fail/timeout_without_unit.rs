// A number alone could be seconds or milliseconds.
use haft::tool;

/// Get the weather.
#[tool(timeout = "30")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
