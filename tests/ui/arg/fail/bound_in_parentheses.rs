// A key has its value after an `=`.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min(1))] days: u32) -> String {
    days.to_string()
}

fn main() {}
