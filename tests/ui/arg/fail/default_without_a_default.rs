// There is no value to take where the type has no `Default`.
use haft::{argument, tool};

#[argument]
enum Days {
    One,
    Two,
}

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default)] days: Days) -> &'static str {
    match days {
        Days::One => "one",
        Days::Two => "two",
    }
}

fn main() {}
