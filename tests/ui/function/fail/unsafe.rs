// The model chooses the arguments, and promises nothing about them.
use haft::tool;

/// Get the weather.
#[tool]
unsafe fn get_weather(city: String) -> String {
    city
}

fn main() {}
