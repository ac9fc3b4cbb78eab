// JSON has only text as keys.
use haft::tool;

use std::collections::HashMap;

/// Get the weather.
#[tool]
async fn get_weather(days: HashMap<u32, String>) -> String {
    format!("{days:?}")
}

fn main() {}
