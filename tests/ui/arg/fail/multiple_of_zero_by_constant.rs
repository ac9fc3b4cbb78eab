// Only zero is a multiple of it.
use haft::tool;

const STEP: u32 = 0;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(multiple_of = STEP)] days: u32) -> String {
    days.to_string()
}

fn main() {}
