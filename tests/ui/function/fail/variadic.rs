// A schema has a fixed number of arguments.
use haft::tool;

/// Get the weather.
#[tool]
fn get_weather(city: String, _: ...) -> String {
    city
}

fn main() {}
