// Paths are separated by commas.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather get_weather];
}
