// All mistakes of a function are told in one go, each once, and nothing follows from them.
use haft::{Toolkit, tool, toolkit};

/// Get the weather.
#[tool(nme = "weather")]
unsafe fn get_weather<T>(city: &str, (hour, minute): (u8, u8)) -> String {
    format!("{city} {hour} {minute}")
}

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
