// There is one function behind a tool, and nobody to choose its types.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather<T: Into<String>>(city: T) -> String {
    city.into()
}

fn main() {}
