// A future is awaited only where an `async fn` says so.
use haft::tool;

/// Get the weather.
#[tool]
fn get_weather(city: String) -> impl Future<Output = String> {
    async { city }
}

fn main() {}
