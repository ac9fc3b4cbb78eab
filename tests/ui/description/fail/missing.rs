// A model chooses a tool by its description.
use haft::tool;

#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
