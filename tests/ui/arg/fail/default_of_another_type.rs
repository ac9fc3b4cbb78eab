// A default is what the function would be given.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = true)] days: u32) -> String {
    days.to_string()
}

fn main() {}
