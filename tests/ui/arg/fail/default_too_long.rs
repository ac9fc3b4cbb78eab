// Characters are counted.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = "today", max_len = 3)] days: String) -> String {
    days
}

fn main() {}
