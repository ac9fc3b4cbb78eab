// Only a whole argument can be lent by the program; what is inside comes from the model.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(days: Vec<&u8>) -> usize {
    days.len()
}

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
