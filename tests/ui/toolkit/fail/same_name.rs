// Two tools of one name are two tools that a model cannot tell apart.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

/// Get the forecast.
#[tool(name = "get_weather")]
async fn forecast(city: String) -> String {
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather, forecast];
}
