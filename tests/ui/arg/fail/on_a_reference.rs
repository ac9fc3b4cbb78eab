// The program gives it, so there is nothing to tell the model.
use haft::tool;

struct Db;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(rename = "db")] db: &Db, city: String) -> String {
    let _ = db;
    city
}

fn main() {}
