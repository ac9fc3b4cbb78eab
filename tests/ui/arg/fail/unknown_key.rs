// A misspelt key must not be lost in silence.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(minimum = 1)] days: u32) -> String {
    days.to_string()
}

fn main() {}
