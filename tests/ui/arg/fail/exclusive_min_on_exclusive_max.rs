// Nothing stands between a number and itself.
use haft::tool;

const FIVE: u32 = 5;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(exclusive_min = 5, exclusive_max = FIVE)] days: u32) -> String {
    days.to_string()
}

fn main() {}
