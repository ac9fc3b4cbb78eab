// The compiler knows an `Option` by any name.
use haft::tool;

type Days = Option<u32>;

/// Get the weather.
#[tool]
async fn get_weather(#[arg(default = Some(3))] days: Days) -> String {
    format!("{days:?}")
}

fn main() {}
