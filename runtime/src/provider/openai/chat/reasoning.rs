//! The model's reasoning, in whichever field a server has it.

use crate::json::RawJson;
use crate::raw_object::RawObject;
use serde_json::Value;

/// The fields of a message: DeepSeek's and llama.cpp's, vLLM's and Ollama's, OpenRouter's.
pub(super) const FIELDS: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];

/// Takes the fields out of a message, if there is reasoning in them: its text, which may be hidden, and the fields as an
/// object.
pub(super) fn take(message: &mut RawObject) -> Option<(String, RawJson)> {
    let is_said = |field: &&str| message.get(field).is_some_and(is_said);
    if !FIELDS.iter().any(is_said) {
        return None;
    }
    let text = FIELDS
        .iter()
        .filter_map(|field| Some(text(message.get(field)?)))
        .find(|text| !text.is_empty());
    let mut fields = RawObject::default();
    for field in FIELDS {
        if let Some(value) = message.take(field) {
            fields.set(field, value);
        }
    }
    Some((text.unwrap_or_default(), fields.compose()))
}

fn is_said(value: &RawJson) -> bool {
    !matches!(value.as_str(), "null" | "\"\"" | "[]" | "{}")
}

/// What is shown of a field: it is a text, or a list of details.
fn text(value: &RawJson) -> String {
    match value.to_value() {
        Value::String(text) => text,
        Value::Array(details) => {
            let shown = |detail: &Value| {
                let text = detail.get("text").or_else(|| detail.get("summary"))?;
                text.as_str().map(str::to_owned)
            };
            details.iter().filter_map(shown).collect()
        }
        _ => String::new(),
    }
}
