// A relative path would depend on the module that the tool stands in.
use haft::tool;

/// Get the weather.
#[tool(crate = haft)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
