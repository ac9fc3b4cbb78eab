// Which of the two texts a value is for is not guessed.
use haft::tool;

/// Get the weather.
#[tool("weather")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
