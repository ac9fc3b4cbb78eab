// A field is an argument too, and needs the same.
use haft::{argument, tool};

struct Point;

#[argument]
struct City(Point);

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> String {
    let _ = city.0;
    String::new()
}

fn main() {}
