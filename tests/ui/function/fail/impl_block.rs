// Only a function can be called; methods are not tools.
use haft::tool;

struct Weather;

#[tool]
impl Weather {
    async fn get_weather(city: String) -> String {
        city
    }
}

fn main() {}
