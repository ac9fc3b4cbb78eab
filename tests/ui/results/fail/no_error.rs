// A model reads the error, which this one has no words for.
use haft::tool;

struct Refused;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Result<String, Refused> {
    Err(Refused).or(Ok(city))
}

fn main() {}
