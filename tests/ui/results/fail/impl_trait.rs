// How a result is told depends on its type.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> impl ToString {
    city
}

fn main() {}
