// Several attributes are one list.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(
    #[arg(min = 1)]
    #[arg(min = 2)]
    days: u32,
) -> String {
    days.to_string()
}

fn main() {}
