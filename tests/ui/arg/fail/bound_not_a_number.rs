// A bound has the type of the parameter.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = "a")] days: u32) -> String {
    days.to_string()
}

fn main() {}
