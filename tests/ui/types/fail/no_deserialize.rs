// A type that has a schema and cannot be read is no argument.
use haft::tool;

#[derive(haft::schemars::JsonSchema)]
#[schemars(crate = "haft::schemars")]
struct City;

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> String {
    let _ = city;
    String::new()
}

fn main() {}
