//! The rules of Anthropic's API: each call is answered in the next message, first of all; nothing is empty.

use haft::serde_json::Value;

use super::{Parts, check, list, text};

/// What is in a body.
///
/// # Errors
/// What is wrong with it.
pub(in super::super) fn fault(body: &Value) -> Result<Parts, String> {
    let mut parts = Parts::default();
    let mut open: Vec<&str> = Vec::new();
    for (role, blocks) in turns(body)? {
        for block in &blocks {
            check_block(block)?;
        }
        match role {
            "user" => {
                let results = results(&blocks)?;
                check(results == open, || {
                    format!("calls {open:?} are answered by {results:?}")
                })?;
                parts.results += results.len();
                open.clear();
            }
            "assistant" => {
                check(open.is_empty(), || {
                    format!("calls {open:?} are not answered")
                })?;
                open = calls(&blocks)?;
                parts.calls.extend(open.iter().map(|id| (*id).to_owned()));
                for block in blocks {
                    if block["type"] == "thinking" {
                        parts.thoughts.push(text(block, "thinking")?.to_owned());
                    }
                }
            }
            other => return Err(format!("a message of {other:?}")),
        }
    }
    check(open.is_empty(), || {
        format!("the last calls are not answered: {open:?}")
    })?;
    Ok(parts)
}

/// Messages of one role that follow each other are one.
fn turns(body: &Value) -> Result<Vec<(&str, Vec<&Value>)>, String> {
    let mut turns: Vec<(&str, Vec<&Value>)> = Vec::new();
    for message in list(body, "messages")? {
        let (role, blocks) = (text(message, "role")?, list(message, "content")?);
        check(!blocks.is_empty(), || {
            format!("a message of the {role} is empty")
        })?;
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => turns.push((role, blocks.iter().collect())),
        }
    }
    Ok(turns)
}

fn check_block(block: &Value) -> Result<(), String> {
    match text(block, "type")? {
        "text" => check(!text(block, "text")?.is_empty(), || {
            "a text is empty".to_owned()
        }),
        "tool_use" => {
            text(block, "name")?;
            check(block["input"].is_object(), || {
                format!("an input is no object in {block}")
            })
        }
        "thinking" => {
            let signed = format!("signed: {}", text(block, "thinking")?);
            check(block["signature"] == signed, || {
                format!("not as it was: {block}")
            })
        }
        _ => Ok(()),
    }
}

/// Whose results a turn of the user's begins with; there are no others.
fn results<'a>(blocks: &[&'a Value]) -> Result<Vec<&'a str>, String> {
    let is_result = |block: &&&Value| block["type"] == "tool_result";
    let all = blocks.iter().filter(is_result).count();
    let first = blocks.iter().take_while(is_result);
    let ids: Result<Vec<_>, _> = first.map(|block| text(block, "tool_use_id")).collect();
    let ids = ids?;
    check(ids.len() == all, || {
        "results behind something else".to_owned()
    })?;
    Ok(ids)
}

/// The calls that are to be answered: not those of a model that another one has taken over from.
fn calls<'a>(blocks: &[&'a Value]) -> Result<Vec<&'a str>, String> {
    let seam = blocks.iter().rposition(|block| block["type"] == "fallback");
    let own = blocks.iter().skip(seam.unwrap_or_default());
    let calls = own.filter(|block| block["type"] == "tool_use");
    calls.map(|block| text(block, "id")).collect()
}
