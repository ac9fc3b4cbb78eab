// One mistake in the kind of bounds is one error.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1, max = 9)] days: String) -> String {
    days
}

fn main() {}
