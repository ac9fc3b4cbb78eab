// A type that is not there is one error, however often it is asked.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = 1, min = 1, example = 2)] days: Days) -> String {
    let _ = days;
    String::new()
}

fn main() {}
