// A title that says nothing would stand where people look for a name.
use haft::tool;

/// Get the weather.
#[tool(title = " ")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
