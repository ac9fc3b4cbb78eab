// The error names the type that lacks the traits, not the one around it.
use std::collections::HashMap;

use haft::tool;

struct City;

/// Get the weather.
#[tool]
async fn get_weather(city: HashMap<String, City>) -> String {
    let _ = city;
    String::new()
}

fn main() {}
