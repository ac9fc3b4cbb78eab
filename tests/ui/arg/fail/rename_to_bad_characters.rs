// Providers refuse such a key, with an error that does not say which tool was meant.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(rename = "next days")] days: u32) -> String {
    days.to_string()
}

fn main() {}
