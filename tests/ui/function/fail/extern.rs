// A tool is called by Rust.
use haft::tool;

/// Get the weather.
#[tool]
extern "C" fn get_weather(city: u8) -> u8 {
    city
}

fn main() {}
