// The compiler compares what it knows.
use haft::tool;

const MOST: u32 = 9;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = 10, max = MOST)] days: u32) -> String {
    days.to_string()
}

fn main() {}
