//! The rules of the Responses API: one output for each call, behind it and before anything else is asked; reasoning stays.

use haft::serde_json::Value;

use super::{Parts, check, check_arguments, list, text};

/// What is in a body.
///
/// # Errors
/// What is wrong with it.
pub(in super::super) fn fault(body: &Value) -> Result<Parts, String> {
    let mut parts = Parts::default();
    // Servers use ids again, so an output is that of the last call before it.
    let mut open: Vec<&str> = Vec::new();
    for item in list(body, "input")? {
        match (item["type"].as_str(), item["role"].as_str()) {
            (Some("function_call"), _) => {
                let id = text(item, "call_id")?;
                text(item, "name")?;
                check_arguments(&item["arguments"])?;
                check(!open.contains(&id), || format!("call {id} is there twice"))?;
                open.push(id);
                parts.calls.push(id.to_owned());
            }
            (Some("function_call_output"), _) => {
                let id = text(item, "call_id")?;
                check(open.contains(&id), || {
                    format!("no call {id} is open for an output")
                })?;
                open.retain(|call| *call != id);
                check_output(&item["output"])?;
                parts.results += 1;
            }
            (Some("reasoning"), _) => parts.thoughts.push(thought(item)?),
            (None | Some("message"), Some("assistant")) => {}
            (None | Some("message"), Some(role)) => {
                check(open.is_empty(), || {
                    format!("the {role} speaks while {open:?} are not answered")
                })?;
                check(!is_empty(&item["content"]), || {
                    format!("the {role} says nothing")
                })?;
            }
            (None | Some("message"), None) => return Err(format!("whose is {item}?")),
            (Some(_), _) => {}
        }
    }
    check(open.is_empty(), || {
        format!("the last calls are not answered: {open:?}")
    })?;
    Ok(parts)
}

fn is_empty(content: &Value) -> bool {
    match content {
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => true,
    }
}

/// Text or parts; an empty text is a result as well.
fn check_output(output: &Value) -> Result<(), String> {
    let is_list = output.as_array().is_some_and(|list| !list.is_empty());
    check(output.is_string() || is_list, || {
        format!("the output is {output}")
    })
}

/// What is shown of reasoning that goes back with what is encrypted.
fn thought(item: &Value) -> Result<String, String> {
    let shown = text(&item["summary"][0], "text")?;
    let encrypted = format!("encrypted: {shown}");
    check(item["encrypted_content"] == encrypted, || {
        format!("not as it was: {item}")
    })?;
    Ok(shown.to_owned())
}
