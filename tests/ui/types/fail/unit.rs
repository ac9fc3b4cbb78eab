// There is nothing that the model could give.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(nothing: ()) -> String {
    format!("{nothing:?}")
}

fn main() {}
