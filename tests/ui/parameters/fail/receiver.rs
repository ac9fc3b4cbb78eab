// A method needs a value that no model can give.
use haft::tool;

struct Weather;

impl Weather {
    /// Get the weather.
    #[tool]
    async fn get_weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
