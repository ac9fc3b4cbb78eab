// The bound itself is not allowed.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = 0.0, exclusive_min = 0.0)] days: f64) -> String {
    days.to_string()
}

fn main() {}
