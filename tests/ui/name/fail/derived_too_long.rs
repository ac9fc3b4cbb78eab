// The function's name is the tool's where no other is given; this has more than 64 characters.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_the_weather_of_a_city_in_the_units_that_are_usual_in_its_country(
    city: String,
) -> String {
    city
}

fn main() {}
