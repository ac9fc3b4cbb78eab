// A flag has nothing to set.
use haft::tool;

/// Get the weather.
#[tool(approval(always))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
