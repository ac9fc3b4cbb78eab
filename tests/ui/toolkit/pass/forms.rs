// A toolkit takes paths, any number of them.
#![deny(warnings)]

use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
pub async fn get_weather() {}

mod forecast {
    /// Get the forecast.
    #[haft::tool(name = "forecast")]
    pub async fn get_weather() {}
}

struct State;

fn main() {
    let none: Toolkit = toolkit![];
    assert!(none.is_empty());
    let two: Toolkit = toolkit![get_weather, crate::forecast::get_weather,];
    assert_eq!(two.names().collect::<Vec<_>>(), ["get_weather", "forecast"]);
    assert_eq!(toolkit![get_weather].len(), 1);
    let _: Toolkit<State> = toolkit![get_weather];
    let _ = State;
}
