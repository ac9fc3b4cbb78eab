// An argument with a mistake is an argument, so that the tools that take it do not err as well.
use haft::{argument, tool};

#[argument(name = "city")]
struct City {
    name: String,
}

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> String {
    city.name
}

fn main() {}
