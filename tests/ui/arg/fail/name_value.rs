// The attribute has keys in parentheses, as all others of haft.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg = "days"] days: u32) -> String {
    days.to_string()
}

fn main() {}
