// The name of an argument is what a model calls it.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(_: String) -> String {
    String::new()
}

fn main() {}
