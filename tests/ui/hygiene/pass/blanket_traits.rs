// Methods that everything has, of the names that an expansion calls, do not get in its way.
#![allow(dead_code)]

use haft::{Toolkit, argument, serde_json::json, tool, toolkit};

trait ByValue: Sized {
    fn convert(self) {}
    fn get_or_init(self) {}
    fn input(self) {}
    fn kind(self) {}
}

impl<T> ByValue for T {}

#[argument]
struct City {
    name: String,
}

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> Result<String, haft::ToolError> {
    Err(haft::ToolError::new(city.name))
}

/// Fail.
#[tool]
async fn fail(day: String) -> Result<u8, std::num::ParseIntError> {
    day.parse()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![get_weather, fail];
    let result = kit
        .call("get_weather", json!({"city": {"name": "Tokyo"}}))
        .await;
    assert_eq!(result.text(), "Error: Tokyo");
    let result = kit.call("fail", json!({"day": "x"})).await;
    assert_eq!(result.text(), "Error: invalid digit found in string");
}
