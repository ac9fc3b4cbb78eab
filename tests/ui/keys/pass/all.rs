// All keys, in any order, with a comma at the end.
use haft::{Tool, ToolDefinition, Toolkit, tool, toolkit};

#[tool(
    crate = ::haft,
    option(
        defer_loading = true,
        cache_control = {"type": "ephemeral", "ttl": [1, -2.5, null]},
        r#type = "custom_20260101",
    ),
    strict,
    timeout = "1500ms",
    approval,
    exclusive,
    open_world = false,
    idempotent = true,
    destructive = false,
    read_only,
    title = "The weather",
    description = "Get the weather.",
    name = "weather",
)]
async fn get_weather() {}

/// Get the forecast.
#[tool()]
async fn get_forecast() {}

/// Forget the forecast.
#[tool(destructive, strict = false, blocking, timeout = "2m")]
fn forget_forecast() {}

/// Count the clouds.
#[tool(collect, blocking)]
fn count_clouds() {}

fn definition<T: Tool>(tool: &T) -> &ToolDefinition {
    tool.definition()
}

fn main() {
    assert_eq!(
        (get_weather::NAME, get_weather::DESCRIPTION),
        ("weather", "Get the weather.")
    );
    assert_eq!(get_forecast::NAME, "get_forecast");
    let weather = definition(&get_weather {});
    assert_eq!(weather.title(), Some("The weather"));
    let hints = weather.hints();
    assert_eq!(
        (hints.read_only, hints.destructive),
        (Some(true), Some(false))
    );
    assert_eq!(
        (hints.idempotent, hints.open_world),
        (Some(true), Some(false))
    );
    assert!(weather.is_exclusive() && weather.needs_approval());
    assert_eq!(weather.timeout().unwrap().as_millis(), 1500);
    let forget = definition(&forget_forecast {});
    assert_eq!(forget.hints().destructive, Some(true));
    assert_eq!(forget.timeout().unwrap().as_secs(), 120);
    let kit: Toolkit = toolkit![get_weather, get_forecast, forget_forecast];
    assert_eq!(kit.len(), 3);
    let found = Toolkit::collect().unwrap();
    assert_eq!(found.names().collect::<Vec<_>>(), ["count_clouds"]);
}
