//! Whatever a program gives as a schema, it is refused with a reason, or judges any input in finite
//! time; and each dialect takes it, or says why not.
#![no_main]

use haft::serde_json::{Value, json};
use haft::{Dialect, FunctionTool, Toolkit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    // A schema, and a value that is to be judged by it.
    let Some((schema, value)) = data.split_once('\u{1}') else { return };
    let Ok(schema) = haft::serde_json::from_str::<Value>(schema) else { return };
    let value = haft::serde_json::from_str(value).unwrap_or_else(|_| json!({}));
    let tool = match FunctionTool::from_schema("t", "", schema, |_: Value| async { "read" }) {
        Ok(tool) => tool.strict(true),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let kit: Toolkit = Toolkit::new().with(tool).expect("one tool");
    for dialect in [
        Dialect::Plain,
        Dialect::AnthropicStrict,
        Dialect::OpenAiStrict,
        Dialect::Gemini,
        Dialect::Mcp,
    ] {
        match kit.definitions_for(dialect) {
            // What was made is what the dialect's own checker takes.
            Ok(definitions) => dialect.check(&definitions).expect("a definition of the dialect"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let text = runtime.block_on(kit.call("t", value)).text();
    assert!(!text.starts_with("Error: Tool 't' panicked"), "{text}");
});
