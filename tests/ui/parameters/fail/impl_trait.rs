// It is not known what the model's JSON is to be read into.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: impl Into<String>) -> String {
    city.into()
}

fn main() {}
