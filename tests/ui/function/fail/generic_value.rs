// There is one function behind a tool, and nobody to choose its constants.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather<const N: usize>(cities: [String; N]) -> String {
    cities.concat()
}

fn main() {}
