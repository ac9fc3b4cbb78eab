// The context is lent for the call: it has no size, so that nobody can keep it.
use haft::{CallContext, Toolkit, tool, toolkit};

/// Get the weather.
#[tool]
async fn get_weather(context: CallContext, city: String) -> String {
    format!("{} {city}", context.call_id())
}

fn main() {
    let _: Toolkit = toolkit![get_weather];
}
