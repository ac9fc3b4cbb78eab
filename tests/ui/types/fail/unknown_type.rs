// A type that is not there is the compiler's to tell, once.
use haft::tool;

struct City;

/// Get the weather.
#[tool]
async fn get_weather(city: Town) -> String {
    let _ = city;
    String::new()
}

fn main() {}
