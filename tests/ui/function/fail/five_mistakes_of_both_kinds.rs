// What the macro finds and what the compiler finds are told in one go, each once.
use haft::{Toolkit, tool, toolkit};

struct City;

struct Units;

struct Weather;

/// Get the weather.
#[tool(timeout = "soon")]
async fn get_weather(city: City, units: Units, #[arg(min = 9, max = 1)] hour: u8) -> Weather {
    let _ = (city, units, hour);
    Weather
}

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
