// The tool's type has the function's name, and there is a module of that name.
use haft::tool;

mod weather {}

/// Get the weather.
#[tool]
async fn weather(city: String) -> String {
    city
}

fn main() {}
