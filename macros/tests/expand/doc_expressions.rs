/// Get the weather.
///
#[doc = include_str!("weather.md")]
/// For cities only.
#[tool]
async fn get_weather(
    #[doc = concat!("The", " city.")]
    city: String,
) -> String {
    city
}
