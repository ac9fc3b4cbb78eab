// Beside the function stands the tool: a value, with constants.
use haft::{Tool, Toolkit, tool};

/// Get the weather.
#[tool]
async fn get_weather(city: String) -> String {
    city
}

const NAMES: [&str; 1] = [get_weather::NAME];

fn main() {
    let tool = get_weather {};
    assert_eq!(Tool::<()>::definition(&tool).name(), NAMES[0]);
    assert_eq!(get_weather::DESCRIPTION, "Get the weather.");
    let kit: Toolkit = Toolkit::new().with(get_weather {}).unwrap();
    assert_eq!(kit.names().collect::<Vec<_>>(), ["get_weather"]);
    let boxed: Box<dyn Tool<u8>> = Box::new(tool);
    assert_eq!(boxed.definition().description(), "Get the weather.");
}
