// Items are counted.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = vec![1], min_items = 2)] days: Vec<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
