// What the compiler cannot see is told before a model is asked: here, a map behind an alias.
use std::collections::HashMap;

use haft::{Toolkit, testing, tool, toolkit};

type Counts = HashMap<u32, u32>;

/// Get the weather.
#[tool]
async fn get_weather(days: Counts) -> String {
    format!("{days:?}")
}

fn main() {
    let kit: Toolkit = toolkit![get_weather];
    let error = testing::check(&kit).unwrap_err().to_string();
    let expected = "tool `get_weather` at $.properties.days: is a map with numbers as keys";
    assert!(error.starts_with(expected), "{error}");
}
