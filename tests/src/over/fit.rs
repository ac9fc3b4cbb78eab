//! What an API would refuse in a request: calls and results that do not belong together.

use haft::serde_json::{self, Value};

use super::dialect::Dialect;

/// One thing that a conversation has, as all APIs have it.
#[derive(Debug)]
enum Entry {
    Call(String),
    Result(String),
    /// What the model says or thinks.
    Model,
    /// What the user or the system says.
    User,
}

/// Why the API would refuse a body.
pub(super) fn fault(dialect: Dialect, body: &[u8]) -> Option<String> {
    let body: Value = match serde_json::from_slice(body) {
        Ok(body) => body,
        Err(error) => return Some(error.to_string()),
    };
    let entries = match dialect {
        Dialect::Anthropic => list(&body, "messages").flat_map(blocks).collect(),
        Dialect::Responses => list(&body, "input").map(item).collect(),
        Dialect::Chat => list(&body, "messages").flat_map(message).collect(),
    };
    match entries {
        Ok(entries) => pairing(entries),
        Err(fault) => Some(fault),
    }
}

/// Right behind the calls of a turn stand their results, in their order, and no others.
fn pairing(entries: Vec<Entry>) -> Option<String> {
    let mut asked: Vec<String> = Vec::new();
    let mut answered = 0;
    for entry in entries {
        match entry {
            Entry::Call(_) | Entry::Model if answered > 0 && answered < asked.len() => {
                return Some(format!("of {asked:?} only {answered} are answered"));
            }
            Entry::Call(id) => {
                if answered > 0 {
                    (asked, answered) = (Vec::new(), 0);
                }
                asked.push(id);
            }
            Entry::Result(id) => {
                if asked.get(answered) != Some(&id) {
                    return Some(format!("{id} answers none of {asked:?} at {answered}"));
                }
                answered += 1;
            }
            Entry::User if answered < asked.len() => {
                return Some(format!("of {asked:?} only {answered} are answered"));
            }
            Entry::Model | Entry::User => {}
        }
    }
    (answered < asked.len())
        .then(|| format!("at the end of {asked:?} only {answered} are answered"))
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(key).and_then(Value::as_array);
    list.into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The blocks of a message of Anthropic's API.
fn blocks(message: &Value) -> Vec<Result<Entry, String>> {
    let is_model = text(message, "role") == "assistant";
    let Some(blocks) = message.get("content").and_then(Value::as_array) else {
        return vec![said(is_model, text(message, "content"))];
    };
    if blocks.is_empty() {
        return vec![Err(format!("an empty message: {message}"))];
    }
    // What another model took over is not to be answered.
    let seam = blocks
        .iter()
        .rposition(|block| text(block, "type") == "fallback");
    let blocks = blocks.iter().enumerate();
    blocks
        .map(|(at, block)| match text(block, "type") {
            "text" => said(is_model, text(block, "text")),
            "tool_use" if seam.is_some_and(|seam| at < seam) => Ok(Entry::Model),
            "tool_use" if block.get("input").is_some_and(Value::is_object) => {
                Ok(Entry::Call(text(block, "id").to_owned()))
            }
            "tool_use" => Err(format!("an input that is no object: {block}")),
            "tool_result" => Ok(Entry::Result(text(block, "tool_use_id").to_owned())),
            _ if is_model => Ok(Entry::Model),
            _ => Ok(Entry::User),
        })
        .collect()
}

fn said(is_model: bool, text: &str) -> Result<Entry, String> {
    match (text.is_empty(), is_model) {
        (true, _) => Err("an empty text".to_owned()),
        (false, true) => Ok(Entry::Model),
        (false, false) => Ok(Entry::User),
    }
}

/// An item of the Responses API.
fn item(item: &Value) -> Result<Entry, String> {
    let id = || text(item, "call_id").to_owned();
    match text(item, "type") {
        "function_call" => call(id(), text(item, "arguments")),
        "function_call_output" => Ok(Entry::Result(id())),
        "" | "message" if text(item, "role") != "assistant" => Ok(Entry::User),
        _ => Ok(Entry::Model),
    }
}

/// What is in a message of chat completions.
fn message(message: &Value) -> Vec<Result<Entry, String>> {
    match text(message, "role") {
        "assistant" => {
            let calls = list(message, "tool_calls").map(|own| {
                let arguments = own.pointer("/function/arguments").and_then(Value::as_str);
                call(text(own, "id").to_owned(), arguments.unwrap_or_default())
            });
            let calls: Vec<_> = calls.collect();
            if calls.is_empty() && text(message, "content").is_empty() {
                return vec![Err(format!("an empty message: {message}"))];
            }
            std::iter::once(Ok(Entry::Model)).chain(calls).collect()
        }
        "tool" => vec![Ok(Entry::Result(text(message, "tool_call_id").to_owned()))],
        _ => vec![Ok(Entry::User)],
    }
}

fn call(id: String, arguments: &str) -> Result<Entry, String> {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => Ok(Entry::Call(id)),
        _ => Err(format!("arguments of {id} that are no object: {arguments}")),
    }
}
