// The name of an argument is what a model calls it, and a pattern has none.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather((city, country): (String, String)) -> String {
    city + &country
}

fn main() {}
