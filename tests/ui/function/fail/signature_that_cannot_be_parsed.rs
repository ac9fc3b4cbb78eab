// The compiler tells of mistakes in the language, and of those alone.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city String) -> String {
    String::new()
}

fn main() {}
