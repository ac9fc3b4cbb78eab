// Rust says so by itself; the tool must not say it again.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(_city: String, _city: String) -> String {
    String::new()
}

fn main() {}
