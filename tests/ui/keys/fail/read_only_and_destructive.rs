// What only reads cannot destroy: whoever asks for approval would not know which to believe.
use haft::tool;

/// Get the weather.
#[tool(read_only, destructive)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
