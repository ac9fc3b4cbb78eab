// The text of a file describes a tool and a parameter; it is trimmed.
use haft::{Tool, tool};

/// Get the weather.
///
#[doc = include_str!("../weather.md")]
#[tool]
async fn get_weather(
    #[doc = include_str!("../weather.md")] city: String,
    /// Days to look ahead.
    ///
    #[doc = include_str!("../blank.md")]
    days: Option<u8>,
) -> String {
    format!("{city} {days:?}")
}

fn main() {
    assert_eq!(get_weather::DESCRIPTION, "Get the weather.\n\nOf a city.");
    let definition = Tool::<()>::definition(&get_weather {});
    let properties = &definition.input_schema()["properties"];
    assert_eq!(properties["city"]["description"], "Of a city.");
    assert_eq!(properties["days"]["description"], "Days to look ahead.");
}
