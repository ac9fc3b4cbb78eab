// How a result is told depends on its type.
use haft::tool;

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> Result<impl ToString, haft::ToolError> {
    Ok(city)
}

fn main() {}
