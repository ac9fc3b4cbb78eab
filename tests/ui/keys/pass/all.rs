// All keys, in any order, with a comma at the end.
use haft::tool;

#[tool(crate = ::haft, description = "Get the weather.", name = "weather",)]
async fn get_weather() {}

/// Get the forecast.
#[tool()]
async fn get_forecast() {}

fn main() {
    assert_eq!(
        (get_weather::NAME, get_weather::DESCRIPTION),
        ("weather", "Get the weather.")
    );
    assert_eq!(get_forecast::NAME, "get_forecast");
}
