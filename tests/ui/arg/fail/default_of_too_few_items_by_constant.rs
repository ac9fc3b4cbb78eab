// Items are counted.
use haft::tool;

const LEAST: usize = 2;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = vec![1], min_items = LEAST)] days: Vec<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
