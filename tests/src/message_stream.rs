//! A message of Anthropic's API as the stream that the API would send.

use serde_json::{Map, Value, json};

/// How many parts a text is told in.
const PARTS: usize = 3;

/// The events of a message, in the order in which the API sends them.
///
/// # Errors
/// Where the body is no message.
pub fn events(body: &Value) -> Result<Vec<Value>, String> {
    let fields = body.as_object().ok_or("the body is no object")?;
    let blocks = body
        .get("content")
        .and_then(Value::as_array)
        .ok_or("the body has no content")?;
    let mut begun = fields.clone();
    begun.insert("content".to_owned(), json!([]));
    let mut ended = Map::new();
    for key in ["stop_reason", "stop_sequence", "stop_details", "container"] {
        if let Some(value) = fields.get(key) {
            begun.insert(key.to_owned(), Value::Null);
            ended.insert(key.to_owned(), value.clone());
        }
    }
    let mut events = vec![json!({"type": "message_start", "message": begun})];
    for (index, block) in blocks.iter().enumerate() {
        let (start, deltas) = parts_of(block);
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let usage = fields.get("usage").cloned().unwrap_or_else(|| json!({}));
    events.push(json!({"type": "message_delta", "delta": ended, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    Ok(events)
}

/// Events as a stream has them, each with its type for its name.
#[must_use]
pub fn frames(events: &[Value]) -> String {
    let frame = |event: &Value| {
        let kind = event
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    events.iter().map(frame).collect()
}

/// A block as it begins, and what is added to it.
fn parts_of(block: &Value) -> (Value, Vec<Value>) {
    let kind = block
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut start = block.clone();
    let mut deltas = Vec::new();
    let mut take = |key: &str, empty: Value| {
        let value = start.get_mut(key)?;
        Some(std::mem::replace(value, empty))
    };
    match kind {
        "text" => {
            let citations = take("citations", json!([])).unwrap_or_default();
            for citation in citations.as_array().into_iter().flatten() {
                deltas.push(json!({"type": "citations_delta", "citation": citation}));
            }
            let text = take("text", json!("")).unwrap_or_default();
            let parts = split(text.as_str().unwrap_or_default());
            deltas.extend(parts.map(|text| json!({"type": "text_delta", "text": text})));
        }
        "thinking" => {
            let text = take("thinking", json!("")).unwrap_or_default();
            let parts = split(text.as_str().unwrap_or_default());
            deltas.extend(parts.map(|text| json!({"type": "thinking_delta", "thinking": text})));
            let signature = take("signature", json!("")).unwrap_or_default();
            deltas.push(json!({"type": "signature_delta", "signature": signature}));
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let input = take("input", json!({})).unwrap_or_default().to_string();
            let parts =
                split(&input).map(|part| json!({"type": "input_json_delta", "partial_json": part}));
            deltas.extend(parts);
        }
        _ => {}
    }
    (start, deltas)
}

/// A text in a few parts, cut between characters.
fn split(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len().div_ceil(PARTS).max(1);
    let parts: Vec<String> = characters.chunks(length).map(String::from_iter).collect();
    parts.into_iter()
}
