// A name is checked before the compiler knows the value of a constant.
use haft::tool;

const NAME: &str = "weather";

/// Get the weather.
#[tool(name = NAME)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
