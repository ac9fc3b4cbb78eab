//! What may differ between the recorded and the arrived messages of the chat format.
//!
//! Recorded clients renamed and added fields, so only those that the format is about compare. The messages come as
//! `normal` writes them.

use serde_json::{Map, Value, json};

use crate::equality::{Difference, equal, equal_lists};

/// Role, content, `tool_call_id` and the calls are equal.
pub(crate) fn compare(expected: &[Value], got: &[Value]) -> Result<(), Difference> {
    let essence = |messages: &[Value]| messages.iter().map(essence).collect::<Vec<_>>();
    equal_lists(&essence(expected), &essence(got))
}

/// The reply is the message `new`.
pub(crate) fn sent_back(reply: &Value, got: &[Value], new: usize) -> Result<(), Difference> {
    let compared = match got.get(new) {
        Some(message) => equal(&essence(reply), &essence(message)),
        None => Err(Difference::here(Some(reply), None)),
    };
    compared.map_err(|found| found.under_index(new))
}

fn essence(message: &Value) -> Value {
    let mut essence = pick(message, &["role", "tool_call_id"]);
    // A turn of calls alone has content null, `""`, or none: the APIs take each, and clients turn one into the other.
    if let Some(content) = message.get("content").filter(|content| !is_empty(content)) {
        essence.insert("content".to_owned(), content.clone());
    }
    if let Some(Value::Array(calls)) = message.get("tool_calls") {
        essence.insert(
            "tool_calls".to_owned(),
            calls.iter().map(essence_of_call).collect(),
        );
    }
    Value::Object(essence)
}

fn essence_of_call(call: &Value) -> Value {
    let mut essence = pick(call, &["id"]);
    if let Some(function) = call.get("function") {
        essence.insert(
            "function".to_owned(),
            Value::Object(pick(function, &["name", "arguments"])),
        );
    }
    Value::Object(essence)
}

fn pick(value: &Value, keys: &[&str]) -> Map<String, Value> {
    let found = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), value.get(*key)?.clone())));
    found.collect()
}

fn is_empty(content: &Value) -> bool {
    content == &json!([]) || content == &json!([{"type": "text", "text": ""}])
}
