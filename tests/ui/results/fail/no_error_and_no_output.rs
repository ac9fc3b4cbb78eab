// Both halves of the result are wrong, and both are told.
use haft::tool;

struct Weather(String);

struct Refused;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Result<Weather, Refused> {
    Err(Refused).or(Ok(Weather(city)))
}

fn main() {}
