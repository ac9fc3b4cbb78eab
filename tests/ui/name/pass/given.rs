// A given name takes the place of the function's, even of one that would not do.
use haft::{Toolkit, serde_json::json, tool, toolkit};

/// Get the weather.
#[tool(name = "Get-Weather_2")]
async fn größe(city: String) -> String {
    city
}

/// Get the weather.
#[tool(name = "get_the_weather_of_a_city_in_the_units_that_are_usual_in_germany")]
async fn longest() {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(größe::NAME, "Get-Weather_2");
    assert_eq!(longest::NAME.len(), 64);
    let kit: Toolkit = toolkit![größe, longest];
    assert_eq!(
        kit.call("Get-Weather_2", json!({"city": "Tokyo"}))
            .await
            .text(),
        "Tokyo"
    );
    assert!(kit.get("größe").is_none());
}
