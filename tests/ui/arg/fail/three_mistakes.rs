// Each mistake is told, not the first one only.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(minimum = 1, rename = 3, max)] days: u32) -> String {
    days.to_string()
}

fn main() {}
