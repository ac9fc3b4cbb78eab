// A future yields by itself, and there is no thread that it could block.
use haft::tool;

/// Get the weather.
#[tool(blocking)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
