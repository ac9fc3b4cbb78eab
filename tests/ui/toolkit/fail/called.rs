// The tool itself is put in, not a call of its function.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather("Tokyo".to_owned())];
}
