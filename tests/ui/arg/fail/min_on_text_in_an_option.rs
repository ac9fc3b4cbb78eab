// An `Option` has the bounds of what is in it.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1)] days: Option<String>) -> String {
    format!("{days:?}")
}

fn main() {}
