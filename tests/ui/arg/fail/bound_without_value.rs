// A bound is a number.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min)] days: u32) -> String {
    days.to_string()
}

fn main() {}
