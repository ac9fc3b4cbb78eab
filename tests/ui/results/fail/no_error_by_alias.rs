// The error's type is hidden in an alias, and named all the same.
use haft::tool;

struct Refused;

type Answer<T> = Result<T, Refused>;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Answer<String> {
    Err(Refused).or(Ok(city))
}

fn main() {}
