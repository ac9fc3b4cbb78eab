// `ref` borrows, where an argument is a value of the call's own.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(ref city: String) -> String {
    city.clone()
}

fn main() {}
