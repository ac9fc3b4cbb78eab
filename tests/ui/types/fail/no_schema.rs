// A type that can be read and has no schema is no argument.
use haft::tool;

#[derive(haft::serde::Deserialize)]
#[serde(crate = "haft::serde")]
struct City;

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> String {
    let _ = city;
    String::new()
}

fn main() {}
