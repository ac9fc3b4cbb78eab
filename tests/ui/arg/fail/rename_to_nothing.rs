// The model gives each argument by its key.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(rename = "")] days: u32) -> String {
    days.to_string()
}

fn main() {}
