// A type that a model fills in needs a schema, and must be read from JSON.
use haft::tool;

struct City;

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> String {
    let _ = city;
    String::new()
}

fn main() {}
