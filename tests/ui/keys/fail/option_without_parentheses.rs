// There is more than one option, so that each has a name.
use haft::tool;

/// Get the weather.
#[tool(option = true)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
