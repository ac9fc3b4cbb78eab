// A mistake in the body is the compiler's to tell, once and where it is.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    let days: u8 = city;
    format!("{days}")
}

fn main() {}
