// The state lives as long as the toolkit, which need not be for ever.
use haft::{Toolkit, tool, toolkit};

struct Db;

/// Get the weather.
#[tool]
async fn get_weather(db: &'static Db, city: String) -> String {
    let _ = db;
    city
}

fn main() {
    let _: Toolkit = toolkit![get_weather].with_state(Db);
}
