// A function is a tool only with `#[tool]`.
use haft::{Toolkit, toolkit};

async fn get_weather(city: String) -> String {
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
