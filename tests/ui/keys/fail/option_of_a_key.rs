//! What another key sets would be there twice.
use haft::tool;

/// Get the weather.
#[tool(option(name = "weather", input_schema = {}))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
