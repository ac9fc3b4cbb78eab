// Characters are counted.
use haft::tool;

const MOST: usize = 3;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = "today", max_len = MOST)] days: String) -> String {
    days
}

fn main() {}
