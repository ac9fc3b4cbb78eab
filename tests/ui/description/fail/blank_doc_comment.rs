// A doc comment with nothing in it is no description.
use haft::tool;

///
#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
