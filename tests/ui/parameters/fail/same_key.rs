// A model does not see the `_` before a name, so that it would see `city` twice.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String, _city: String) -> String {
    city
}

fn main() {}
