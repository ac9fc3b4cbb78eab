// An example is what the function could be given.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(example = "three")] days: u32) -> String {
    days.to_string()
}

fn main() {}
