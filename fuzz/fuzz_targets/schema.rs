//! Whatever a program gives as a schema, it is refused with a reason, or judges any input in finite
//! time.
#![no_main]

use haft::serde_json::{Value, json};
use haft::{FunctionTool, Toolkit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    // A schema, and a value that is to be judged by it.
    let Some((schema, value)) = data.split_once('\u{1}') else { return };
    let Ok(schema) = haft::serde_json::from_str::<Value>(schema) else { return };
    let value = haft::serde_json::from_str(value).unwrap_or_else(|_| json!({}));
    let tool = match FunctionTool::from_schema("t", "", schema, |_: Value| async { "read" }) {
        Ok(tool) => tool,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let kit: Toolkit = Toolkit::new().with(tool).expect("one tool");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let text = runtime.block_on(kit.call("t", value)).text();
    assert!(!text.starts_with("Error: Tool 't' panicked"), "{text}");
});
