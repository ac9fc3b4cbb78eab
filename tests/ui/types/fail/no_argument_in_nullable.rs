// A type that the model cannot fill in is one error, inside of others too.
use haft::{Nullable, tool};

struct Days;

/// Get the weather.
#[tool]
async fn get_weather(days: Nullable<Days>) -> String {
    let _ = days;
    String::new()
}

fn main() {}
