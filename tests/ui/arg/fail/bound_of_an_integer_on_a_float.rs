// A bound has the type of the parameter, and Rust makes no float of an integer.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1)] days: f64) -> String {
    days.to_string()
}

fn main() {}
