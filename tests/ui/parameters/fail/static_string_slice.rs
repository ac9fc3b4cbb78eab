// What a model sends does not live for ever.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: &'static str) -> String {
    city.to_owned()
}

fn main() {}
