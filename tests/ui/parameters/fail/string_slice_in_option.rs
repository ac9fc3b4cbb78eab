// There is nothing to borrow from inside of a type either.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: Option<&str>) -> String {
    city.unwrap_or_default().to_owned()
}

fn main() {}
