// A string literal stands for text, and for nothing else.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = "three")] days: u32) -> String {
    days.to_string()
}

fn main() {}
