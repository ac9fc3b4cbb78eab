// Providers take 64 characters at most.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(
    the_name_of_the_city_in_the_language_that_is_spoken_there_by_most_people: String,
) -> String {
    the_name_of_the_city_in_the_language_that_is_spoken_there_by_most_people
}

fn main() {}
