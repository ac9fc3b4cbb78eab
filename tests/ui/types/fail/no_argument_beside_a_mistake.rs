// What the macro finds is told first: the types of a tool are judged when its attributes and signature are right.
use haft::tool;

struct City;

/// Get the weather.
#[tool(nme = "weather")]
async fn get_weather(city: City) -> String {
    let _ = city;
    String::new()
}

fn main() {}
