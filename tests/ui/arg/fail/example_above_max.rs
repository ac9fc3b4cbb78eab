// The model would be shown what the tool refuses.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(example = 7, example = 10, max = 9)] days: u32) -> String {
    days.to_string()
}

fn main() {}
