// It is not known what the model's JSON is to be read into.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(cities: Vec<impl Into<String>>) -> String {
    cities.into_iter().map(Into::into).collect()
}

fn main() {}
