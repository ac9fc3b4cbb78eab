// A value that can be written as JSON is told so only if `Json` says it.
use haft::tool;

#[derive(haft::serde::Serialize)]
#[serde(crate = "haft::serde")]
struct Weather(String);

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Weather {
    Weather(city)
}

fn main() {}
