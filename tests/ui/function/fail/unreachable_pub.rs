// What is lint of the function is not told again of the tool.
#![deny(unreachable_pub)]

mod weather {
    /// Get the weather.
    #[haft::tool]
    pub async fn get_weather(city: String) -> String {
        city
    }
}

fn main() {
    let _ = weather::get_weather {};
}
