// A bound is in the schema, which is the same for all calls.
use haft::tool;

fn most() -> u32 {
    7
}

/// Get the weather.
#[tool]
async fn get_weather(#[arg(max = most())] days: u32) -> String {
    days.to_string()
}

fn main() {}
