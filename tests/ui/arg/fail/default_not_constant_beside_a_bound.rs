// What the compiler is to compare, it must know.
use haft::tool;

fn most() -> u32 {
    7
}

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = most(), max = 9)] days: u32) -> String {
    days.to_string()
}

fn main() {}
