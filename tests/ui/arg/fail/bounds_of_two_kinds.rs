// A type has bounds of one kind.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1, min_len = 1)] days: String) -> String {
    days
}

fn main() {}
