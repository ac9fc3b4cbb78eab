// The model would be shown what the tool refuses.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(example = "Rio", min_len = 4)] days: String) -> String {
    days
}

fn main() {}
