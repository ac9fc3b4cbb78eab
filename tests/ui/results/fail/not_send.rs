// An error that is not `Send` is not kept across an await by haft, but by the body.
use std::error::Error;

use haft::tool;

async fn log() {}

/// Get the weather.
#[tool]
async fn get_weather(days: String) -> Result<String, Box<dyn Error>> {
    let parsed: Result<u8, Box<dyn Error>> = days.parse().map_err(Box::from);
    log().await;
    Ok(parsed?.to_string())
}

fn main() {}
