// Nothing could be given.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_len = 9, max_len = 1)] days: String) -> String {
    days
}

fn main() {}
