// There is nothing to borrow from: the arguments live no longer than the call.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(cities: &[String]) -> String {
    cities.concat()
}

fn main() {}
