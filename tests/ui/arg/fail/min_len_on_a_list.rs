// A list has items, and no characters.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_len = 1)] days: Vec<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
