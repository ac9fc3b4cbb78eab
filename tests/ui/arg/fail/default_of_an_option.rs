// The body sees that it was left out, and a default would hide it.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = Some(3))] days: Option<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
