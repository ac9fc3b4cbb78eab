// A pattern is a regular expression.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(pattern = 3)] days: String) -> String {
    days
}

fn main() {}
