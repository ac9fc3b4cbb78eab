// Of two arguments with one key, the model can give only one.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(days: u32, #[arg(rename = "days")] nights: u32) -> String {
    format!("{days} {nights}")
}

fn main() {}
