/// Get the weather.
///
/// For cities only.
#[tool]
pub async fn get_weather(
    /// The city.
    city: String,
    units: Option<Units>,
) -> Result<String, WeatherError> {
    look_up(city, units).await
}
