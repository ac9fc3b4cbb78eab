// The model reads a text.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(description = 3)] days: u32) -> String {
    days.to_string()
}

fn main() {}
