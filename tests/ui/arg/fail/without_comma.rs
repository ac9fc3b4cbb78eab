// Where the next key starts must be seen.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1 max = 2)] days: u32) -> String {
    days.to_string()
}

fn main() {}
