// A key says nothing by itself.
use haft::tool;

/// Get the weather.
#[tool(name)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
