// A length counts characters.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min_len = "a")] days: String) -> String {
    days
}

fn main() {}
