// Without a value the default is zero.
use haft::tool;

const LEAST: u32 = 1;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default, min = LEAST)] days: u32) -> String {
    days.to_string()
}

fn main() {}
