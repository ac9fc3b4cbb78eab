// Left out, an `Option` is `None` already.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default)] days: Option<u32>) -> String {
    format!("{days:?}")
}

fn main() {}
