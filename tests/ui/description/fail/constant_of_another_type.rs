// A description is text.
use haft::tool;

const WEATHER: u8 = 7;

#[tool(description = WEATHER)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
