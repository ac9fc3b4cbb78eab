//! The model's reasoning, in whichever field a server has it.

use serde_json::{Value, json};

use super::wire;
use crate::json::RawJson;
use crate::raw_object::RawObject;

/// The fields of a message: DeepSeek's and llama.cpp's, vLLM's and Ollama's, OpenRouter's.
pub(super) const FIELDS: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];

/// Where Mistral has it: among the parts of the content.
pub(super) const PARTS: &str = "content";

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

/// The thinking in a part of the content: a text, or a list of texts.
pub(super) fn thought(part: &wire::Part<'_>) -> Option<String> {
    let raw = part.thinking?.get();
    if let Ok(text) = serde_json::from_str::<String>(raw) {
        return Some(text);
    }
    let parts: Vec<wire::Part<'_>> = serde_json::from_str(raw).ok()?;
    Some(parts.into_iter().filter_map(|part| part.text).collect())
}

/// A content of thinking and text, as parts.
pub(super) fn with_parts(thought: &str, text: Option<&str>) -> RawJson {
    let mut parts =
        vec![json!({"type": "thinking", "thinking": [{"type": "text", "text": thought}]})];
    parts.extend(text.map(|text| json!({"type": "text", "text": text})));
    Value::from(parts).into()
}

/// The content without thinking among its parts; none where it has no such part.
pub(super) fn without_parts(content: &RawJson) -> Option<RawJson> {
    let parts: Vec<wire::Part<'_>> = serde_json::from_str(content.as_str()).ok()?;
    parts.iter().find(|part| part.thinking.is_some())?;
    let texts: Vec<_> = parts.into_iter().filter_map(|part| part.text).collect();
    Some(if texts.is_empty() {
        RawJson::null()
    } else {
        RawJson::from(Value::from(texts.concat()))
    })
}
