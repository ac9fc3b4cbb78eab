// The model is shown the default, as JSON.
use haft::tool;

#[haft::argument]
struct Days {
    count: u32,
}

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = Days { count: 3 })] days: Days) -> String {
    days.count.to_string()
}

fn main() {}
