// A name means in an attribute what it means beside it.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = DAYS)] days: u32) -> String {
    days.to_string()
}

fn main() {}
