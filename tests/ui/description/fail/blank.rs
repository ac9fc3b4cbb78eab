// A blank description is none.
use haft::tool;

#[tool(description = " ")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
