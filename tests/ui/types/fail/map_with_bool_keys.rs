// JSON has only text as keys.
use haft::tool;

use std::collections::BTreeMap;

/// Get the weather.
#[tool]
async fn get_weather(days: BTreeMap<bool, String>) -> String {
    format!("{days:?}")
}

fn main() {}
