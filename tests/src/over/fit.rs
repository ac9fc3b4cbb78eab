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

#[cfg(test)]
mod tests {
    use haft::serde_json::json;

    use super::*;

    fn fault_of(dialect: Dialect, key: &str, list: &Value) -> Option<String> {
        fault(dialect, json!({key: list}).to_string().as_bytes())
    }

    #[test]
    fn calls_and_results_of_each_api_are_paired() {
        let anthropic = |results: &[&str]| {
            let results = results
                .iter()
                .map(|id| json!({"type": "tool_result", "tool_use_id": id}));
            let results: Vec<_> = results.collect();
            let call = |id| json!({"type": "tool_use", "id": id, "name": "a", "input": {}});
            let list = json!([
                {"role": "user", "content": "Go"},
                {"role": "assistant", "content": [call("1"), call("2")]},
                {"role": "user", "content": results},
            ]);
            fault_of(Dialect::Anthropic, "messages", &list)
        };
        let responses = |results: &[&str]| {
            let call = |id| json!({"type": "function_call", "call_id": id, "arguments": "{}"});
            let mut list = vec![
                json!({"role": "user", "content": "Go"}),
                call("1"),
                call("2"),
            ];
            let results = results.iter();
            list.extend(results.map(|id| json!({"type": "function_call_output", "call_id": id})));
            fault_of(Dialect::Responses, "input", &list.into())
        };
        let chat = |results: &[&str]| {
            let call = |id| json!({"id": id, "function": {"name": "a", "arguments": "{}"}});
            let mut list = vec![json!({"role": "assistant", "tool_calls": [call("1"), call("2")]})];
            let results = results.iter();
            list.extend(results.map(|id| json!({"role": "tool", "tool_call_id": id})));
            fault_of(Dialect::Chat, "messages", &list.into())
        };
        for judged in [&anthropic as &dyn Fn(&[&str]) -> _, &responses, &chat] {
            assert_eq!(judged(&["1", "2"]), None);
            for unfit in [&[][..], &["1"], &["2", "1"], &["1", "1"], &["1", "2", "3"]] {
                assert!(judged(unfit).is_some(), "{unfit:?}");
            }
        }
    }

    #[test]
    fn nothing_stands_between_a_call_and_its_result() {
        let call = json!({"id": "1", "function": {"name": "a", "arguments": "{}"}});
        let list = json!([
            {"role": "assistant", "tool_calls": [call]},
            {"role": "user", "content": "Well?"},
            {"role": "tool", "tool_call_id": "1"},
        ]);
        assert!(fault_of(Dialect::Chat, "messages", &list).is_some());
    }

    #[test]
    fn arguments_are_objects_and_texts_are_not_empty() {
        let call = |text| json!([{"type": "function_call", "call_id": "1", "arguments": text}]);
        for text in ["", "[]", "{"] {
            let fault = fault_of(Dialect::Responses, "input", &call(text));
            assert!(fault.is_some_and(|fault| fault.contains("no object")));
        }
        let empty = json!([{"role": "user", "content": [{"type": "text", "text": ""}]}]);
        assert!(fault_of(Dialect::Anthropic, "messages", &empty).is_some());
    }
}
