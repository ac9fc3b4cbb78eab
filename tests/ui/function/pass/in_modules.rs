// One path and one import name the function and the tool, as far as the function can be seen.
#![deny(warnings)]

use haft::{Toolkit, serde_json::json, toolkit};

mod weather {
    /// Get the weather.
    #[haft::tool]
    pub(crate) async fn get_weather(city: String) -> String {
        city
    }

    pub mod forecast {
        /// Get the forecast.
        #[haft::tool]
        pub(in crate::weather) async fn get_forecast() {}

        /// Get the past.
        #[haft::tool]
        pub(super) async fn get_past() {}
    }

    pub(super) fn kit() -> haft::Toolkit {
        haft::toolkit![self::forecast::get_forecast, forecast::get_past]
    }
}

mod user {
    use crate::weather::get_weather;

    pub(crate) async fn call() -> String {
        assert_eq!(get_weather::NAME, "get_weather");
        get_weather("Tokyo".into()).await
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![weather::get_weather];
    assert_eq!(
        kit.call("get_weather", json!({"city": "Oslo"}))
            .await
            .text(),
        "Oslo"
    );
    assert_eq!(user::call().await, "Tokyo");
    use weather::get_weather as renamed;
    let kit: Toolkit = weather::kit().with(renamed {}).unwrap();
    assert_eq!(
        kit.names().collect::<Vec<_>>(),
        ["get_forecast", "get_past", "get_weather"]
    );
}
