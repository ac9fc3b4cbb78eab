// A step has no direction.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(multiple_of = -5)] days: i32) -> String {
    days.to_string()
}

fn main() {}
