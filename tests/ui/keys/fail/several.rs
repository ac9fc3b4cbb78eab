// Each mistake is told, not the first one only.
use haft::tool;

/// Get the weather.
#[tool(nme = "weather", name = 3, description)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
