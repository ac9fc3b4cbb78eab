// A bound has the type of the parameter.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(max = 300)] days: u8) -> String {
    days.to_string()
}

fn main() {}
