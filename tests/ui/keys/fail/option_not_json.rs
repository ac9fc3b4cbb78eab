// An option is sent as it stands, so it is JSON.
use haft::tool;

/// Get the weather.
#[tool(option(defer_loading = yes))]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
