// A tool may be made by a macro, out of names, types, texts and expressions.
#![deny(warnings)]

use haft::{Toolkit, serde_json::json, tool, toolkit};

macro_rules! getter {
    ($(#[$attribute:meta])* $name:ident($argument:ident: $type:ty) -> $output:ty, $wire:literal, $text:expr) => {
        $(#[$attribute])*
        #[doc = $text]
        #[tool(name = $wire)]
        async fn $name($argument: $type) -> Result<$output, String> {
            let result = format!("{} {}", stringify!($name), $argument);
            Ok(result)
        }
    };
}

getter!(#[inline] weather(city: String) -> String, "get_weather", "Get the weather.");
getter!(forecast(days: u8) -> String, "get_forecast", concat!("Get the ", "forecast."));

macro_rules! same_names {
    ($input:ident, $call:ident) => {
        /// Add two numbers.
        #[tool]
        fn add($input: u8, $call: u8) -> u8 {
            $input + $call
        }
    };
}

same_names!(input, call);

macro_rules! kit {
    ($($tool:path),*) => {
        toolkit![$($tool),*]
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = kit![weather, forecast, self::add];
    assert_eq!(
        kit.call("get_weather", json!({"city": "Tokyo"}))
            .await
            .text(),
        "weather Tokyo"
    );
    assert_eq!(
        kit.call("get_forecast", json!({"days": 3})).await.text(),
        "forecast 3"
    );
    assert_eq!(
        kit.call("add", json!({"input": 1, "call": 2})).await.text(),
        "3"
    );
    assert_eq!(
        (weather::DESCRIPTION, forecast::DESCRIPTION),
        ("Get the weather.", "Get the forecast.")
    );
}
