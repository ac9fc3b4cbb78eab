// Each such map is told.
use std::collections::HashMap;

use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(days: HashMap<u32, String>, hours: HashMap<i8, String>) -> String {
    format!("{days:?} {hours:?}")
}

fn main() {}
