// Text has characters, and no items.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_items = 1)] days: String) -> String {
    days
}

fn main() {}
