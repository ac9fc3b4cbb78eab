// Nothing could be given.
use haft::tool;

const FEW: usize = 1;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_items = 9, max_items = FEW)] days: Vec<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
