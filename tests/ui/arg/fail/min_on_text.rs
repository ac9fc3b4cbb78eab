// Text has a length, and no smallest value.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1)] days: String) -> String {
    days
}

fn main() {}
