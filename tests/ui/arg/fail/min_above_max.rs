// Nothing could be given.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 9, max = 1)] days: u32) -> String {
    days.to_string()
}

fn main() {}
