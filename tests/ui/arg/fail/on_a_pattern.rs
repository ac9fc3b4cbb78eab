// An argument needs a name, with `#[arg]` or without.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(rename = "pair")] (from, to): (u32, u32)) -> String {
    format!("{from} {to}")
}

fn main() {}
