// A tool is as visible as its function.
use haft::{Toolkit, toolkit};

mod weather {
    /// Get the weather.
    #[haft::tool]
    async fn get_weather(city: String) -> String {
        city
    }
}

fn main() {
    let _: Toolkit = toolkit![weather::get_weather];
}
