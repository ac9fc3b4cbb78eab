// A call without it would be given what the tool refuses.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = 0, min = 1)] days: u32) -> String {
    days.to_string()
}

fn main() {}
