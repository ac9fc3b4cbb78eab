// A type that cannot be read is one error, whatever else is said of the parameter.
use haft::tool;

struct Days;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = Days)] days: Days) -> String {
    let _ = days;
    String::new()
}

fn main() {}
