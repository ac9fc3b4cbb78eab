// A tool may be declared where it is used, and so may the types that it takes.
#![deny(warnings)]

use haft::{Toolkit, argument, serde_json::json, tool, toolkit};

fn kit() -> Toolkit {
    #[argument]
    struct City {
        name: String,
    }

    const TEXT: &str = "Get the weather.";

    #[tool(description = TEXT)]
    async fn get_weather(city: City) -> String {
        city.name
    }

    toolkit![get_weather]
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let result = kit()
        .call("get_weather", json!({"city": {"name": "Tokyo"}}))
        .await;
    assert_eq!(result.text(), "Tokyo");

    let sum: Toolkit = {
        /// Add two numbers.
        #[tool]
        fn add(a: u8, b: u8) -> u8 {
            a + b
        }
        toolkit![add]
    };
    assert_eq!(sum.call("add", json!({"a": 1, "b": 2})).await.text(), "3");
}
