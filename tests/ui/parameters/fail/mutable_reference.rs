// A model sees nothing of what is written to an argument.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: &mut String) -> String {
    std::mem::take(city)
}

fn main() {}
