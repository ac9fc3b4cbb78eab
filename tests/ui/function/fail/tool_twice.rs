// One function is one tool.
use haft::tool;

/// Get the weather.
#[tool]
#[tool(name = "forecast")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
