// The name of an argument is a key that providers must accept.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(größe: String) -> String {
    größe
}

fn main() {}
