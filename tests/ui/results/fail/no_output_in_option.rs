// How a value of one's own is told is not known.
use haft::tool;

struct Weather(String);

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Option<Weather> {
    Some(Weather(city))
}

fn main() {}
