// Only zero is a multiple of it.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(multiple_of = 0)] days: u32) -> String {
    days.to_string()
}

fn main() {}
