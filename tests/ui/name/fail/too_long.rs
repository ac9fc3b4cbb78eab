// Providers take 64 characters at most; this has 65.
use haft::tool;

/// Get the weather.
#[tool(name = "get_the_weather_of_a_city_in_the_units_that_are_usual_in_its_country")]
async fn get_weather(city: String) -> String {
    city
}

fn main() {}
