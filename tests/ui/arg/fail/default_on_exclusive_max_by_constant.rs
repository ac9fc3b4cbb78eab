// The bound itself is not allowed.
use haft::tool;

const ALL: f64 = 1.0;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = 1.0, exclusive_max = ALL)] days: f64) -> String {
    days.to_string()
}

fn main() {}
