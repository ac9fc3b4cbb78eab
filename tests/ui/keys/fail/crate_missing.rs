// haft is not where the path says, which is one mistake, however often the path is used.
use haft::tool;

/// Get the weather.
#[tool(crate = ::my_haft)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
