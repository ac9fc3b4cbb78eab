// Tools run side by side, so that their futures must be `Send`. The error points at what is not.
use std::rc::Rc;

use haft::tool;

async fn look_up(_city: &str) {}

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    let city = Rc::new(city);
    look_up(&city).await;
    city.to_string()
}

fn main() {}
