// A key is a text in JSON.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(rename = nights)] days: u32) -> String {
    days.to_string()
}

fn main() {}
