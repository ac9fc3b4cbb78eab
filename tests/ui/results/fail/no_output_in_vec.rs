// A `Vec` is told as JSON, which must be said.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Vec<String> {
    vec![city]
}

fn main() {}
