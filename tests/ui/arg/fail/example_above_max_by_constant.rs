// The model would be shown what the tool refuses.
use haft::tool;

const MOST: u32 = 9;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(example = 10, max = MOST)] days: u32) -> String {
    days.to_string()
}

fn main() {}
