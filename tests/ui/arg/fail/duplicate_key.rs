// Of two values only one can count.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1, min = 2)] days: u32) -> String {
    days.to_string()
}

fn main() {}
