// Arguments are owned; context and state by reference are not there yet.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: &String) -> String {
    city.clone()
}

fn main() {}
