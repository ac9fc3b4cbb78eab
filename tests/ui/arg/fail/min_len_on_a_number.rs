// A number has no length.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_len = 1)] days: u32) -> String {
    days.to_string()
}

fn main() {}
