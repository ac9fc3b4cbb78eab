// Without a value the default is zero.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default, min = 1)] days: u32) -> String {
    days.to_string()
}

fn main() {}
