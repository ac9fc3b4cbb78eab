// There is nothing to borrow from: the arguments live no longer than the call.
use haft::{argument, tool};

#[argument]
struct City<'a> {
    name: &'a str,
}

/// Get the weather.
#[tool]
async fn get_weather(city: City<'_>) -> String {
    city.name.to_owned()
}

fn main() {}
