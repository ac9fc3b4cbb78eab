// A bound has the type of the parameter.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = -5)] days: u32) -> String {
    days.to_string()
}

fn main() {}
