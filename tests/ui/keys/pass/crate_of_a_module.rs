// haft is where the path says, though it be a module.
use reexports::haft::{Toolkit, serde_json::json};

mod reexports {
    pub use ::haft;
}

#[reexports::haft::argument(crate = crate::reexports::haft)]
struct City {
    name: String,
}

/// Get the weather.
#[reexports::haft::tool(crate = crate::reexports::haft)]
async fn get_weather(city: City) -> String {
    city.name
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = reexports::haft::toolkit![get_weather];
    let result = kit
        .call("get_weather", json!({"city": {"name": "Tokyo"}}))
        .await;
    assert_eq!(result.text(), "Tokyo");
}
