// What `Json` holds must be writable as JSON.
use haft::{Json, tool};

struct Weather(String);

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Json<Weather> {
    Json(Weather(city))
}

fn main() {}
