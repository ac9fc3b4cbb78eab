// A type of one's own has its bounds on its fields.
use haft::tool;

#[haft::argument]
struct Days {
    count: u32,
}

/// Get the weather.
#[tool]
async fn get_weather(#[arg(min = 1)] days: Days) -> String {
    days.count.to_string()
}

fn main() {}
