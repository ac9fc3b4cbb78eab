// There is nothing to borrow from: the arguments live no longer than the call.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: &str) -> String {
    city.to_owned()
}

fn main() {}
