// The compiler compares what it knows.
use haft::tool;

const FEW: u32 = 0;
const LEAST: u32 = 1;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = FEW, min = LEAST)] days: u32) -> String {
    days.to_string()
}

fn main() {}
