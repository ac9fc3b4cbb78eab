//! The rules of chat completions: behind a message with calls, one `tool` message for each, in order, and nothing before.

use haft::serde_json::Value;

use super::{Parts, check, check_arguments, list, text};

/// What is in a body.
///
/// # Errors
/// What is wrong with it.
pub(in super::super) fn fault(body: &Value) -> Result<Parts, String> {
    let mut parts = Parts::default();
    // In the order in which they are to be answered.
    let mut open: Vec<&str> = Vec::new();
    for message in list(body, "messages")? {
        let role = text(message, "role")?;
        if role == "tool" {
            let id = text(message, "tool_call_id")?;
            check(open.first() == Some(&id), || {
                format!("a result of {id}, and wanted are those of {open:?}")
            })?;
            open.remove(0);
            let content = &message["content"];
            check(content.is_string() || content.is_array(), || {
                format!("the result is {content}")
            })?;
            parts.results += 1;
            continue;
        }
        check(open.is_empty(), || {
            format!("the {role} speaks while {open:?} are not answered")
        })?;
        match role {
            "assistant" => {
                open = calls(message)?;
                parts.calls.extend(open.iter().map(|id| (*id).to_owned()));
                // An empty one only says that there was none, where a server wants to be told so.
                let thought = message["reasoning_content"].as_str();
                let thought = thought.filter(|thought| !thought.is_empty());
                parts.thoughts.extend(thought.map(str::to_owned));
                check(!open.is_empty() || is_said(message), || {
                    "a message of the model is empty".to_owned()
                })?;
            }
            "user" | "system" => check(is_said(message), || format!("the {role} says nothing"))?,
            other => return Err(format!("a message of {other:?}")),
        }
    }
    check(open.is_empty(), || {
        format!("the last calls are not answered: {open:?}")
    })?;
    Ok(parts)
}

/// As [`fault`], for a server that wants nine letters or digits for an id, and so gets others than those of the history.
///
/// # Errors
/// What is wrong with it.
pub(in super::super) fn fault_of_short_ids(body: &Value) -> Result<Parts, String> {
    let mut parts = fault(body)?;
    for id in &mut parts.calls {
        let is_short = id.len() == 9 && id.chars().all(|it| it.is_ascii_alphanumeric());
        check(is_short, || format!("the id {id:?}"))?;
        id.clear();
    }
    Ok(parts)
}

fn is_said(message: &Value) -> bool {
    match &message["content"] {
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    }
}

/// The calls of a message of the model's.
fn calls(message: &Value) -> Result<Vec<&str>, String> {
    if message.get("tool_calls").is_none() {
        return Ok(Vec::new());
    }
    let mut ids = Vec::new();
    for call in list(message, "tool_calls")? {
        let (id, function) = (text(call, "id")?, &call["function"]);
        check(text(call, "type")? == "function", || {
            format!("what is {call}?")
        })?;
        text(function, "name")?;
        check_arguments(&function["arguments"])?;
        check(!ids.contains(&id), || format!("call {id} is there twice"))?;
        ids.push(id);
    }
    check(!ids.is_empty(), || "a list of no calls".to_owned())?;
    Ok(ids)
}
