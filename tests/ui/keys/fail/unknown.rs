// A misspelt key must not be lost in silence.
use haft::tool;

/// Get the weather.
#[tool(nme = "weather")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
