// A model does not see the `_` before a name, and here is nothing else.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(__: u8) -> String {
    String::new()
}

fn main() {}
