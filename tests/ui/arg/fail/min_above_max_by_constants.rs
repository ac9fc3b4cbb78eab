// Nothing could be given.
use haft::tool;

const LEAST: u32 = 1;
const MOST: u32 = 9;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = MOST, max = LEAST)] days: u32) -> String {
    days.to_string()
}

fn main() {}
