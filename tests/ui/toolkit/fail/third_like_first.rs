// Each tool is compared with all before it, and the error stands at the later one.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

/// Get the forecast.
#[tool]
async fn get_forecast(city: String) -> String {
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather, get_forecast, get_weather];
}
