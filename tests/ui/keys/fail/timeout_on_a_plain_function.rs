// A plain function that runs inline cannot be stopped.
use haft::tool;

/// Get the weather.
#[tool(timeout = "30s")]
fn get_weather(city: String) -> String {
    city
}

fn main() {}
