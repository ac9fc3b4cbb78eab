// Bounds that the type cannot have are one error, whatever is given beside them.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(
    #[arg(default = "today", example = "tomorrow", min = 1, max = 9)] days: String,
) -> String {
    days
}

fn main() {}
