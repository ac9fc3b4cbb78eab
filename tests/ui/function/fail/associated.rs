// A tool has a type beside it, which cannot stand in an `impl` block.
use haft::tool;

struct Weather;

impl Weather {
    /// Get the weather.
    #[tool]
    async fn get_weather(city: String) -> String {
        city
    }
}

fn main() {}
