// There is no such constant.
use haft::tool;

#[tool(description = WEATHER)]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
