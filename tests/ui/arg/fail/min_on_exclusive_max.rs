// Nothing is both: at least 5, and less.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 5, exclusive_max = 5)] days: u32) -> String {
    days.to_string()
}

fn main() {}
