//! What may differ between the recorded and the arrived messages of Anthropic's API.
//!
//! The messages come as `normal` writes them.

use serde_json::Value;

use crate::equality::{Difference, covers, equal, equal_lists};

/// The messages of the user are equal; those of the assistant have at least the recorded blocks, and no empty text from
/// the message `new` on, which is the first that was not sent before.
pub(crate) fn compare(expected: &[Value], got: &[Value], new: usize) -> Result<(), Difference> {
    for index in 0..expected.len().max(got.len()) {
        let compared = match (expected.get(index), got.get(index)) {
            (Some(left), Some(right)) if is_assistant(left) && is_assistant(right) => {
                compare_turns(left, right)
            }
            (Some(left), Some(right)) => equal(left, right),
            (left, right) => Err(Difference::here(left, right)),
        };
        compared.map_err(|found| found.under_index(index))?;
    }
    for (index, message) in got
        .iter()
        .enumerate()
        .skip(new)
        .filter(|(_, message)| is_assistant(message))
    {
        has_no_empty_text(blocks(message))
            .map_err(|found| found.under_key("content").under_index(index))?;
    }
    Ok(())
}

/// The reply stands whole in the message `new`, but for its empty texts.
pub(crate) fn sent_back(reply: &Value, got: &[Value], new: usize) -> Result<(), Difference> {
    let expected: Vec<Value> = list(reply)
        .iter()
        .filter(|block| !is_empty_text(block))
        .cloned()
        .collect();
    let message = got.get(new).filter(|message| is_assistant(message));
    let compared = equal_lists(&expected, message.map_or(&[], blocks));
    compared.map_err(|found| found.under_key("content").under_index(new))
}

fn compare_turns(expected: &Value, got: &Value) -> Result<(), Difference> {
    let bare = |message: &Value| {
        let mut message = message.clone();
        message
            .as_object_mut()
            .and_then(|fields| fields.shift_remove("content"));
        message
    };
    equal(&bare(expected), &bare(got))?;
    covers_in_order(blocks(expected), blocks(got)).map_err(|found| found.under_key("content"))
}

/// Each expected block is there, in order, with others between them.
fn covers_in_order(expected: &[Value], got: &[Value]) -> Result<(), Difference> {
    let mut rest = got.iter().enumerate();
    for block in expected {
        let left = rest.clone();
        if !rest.any(|(_, candidate)| covers(block, candidate).is_ok()) {
            return Err(closest(block, left, got.len()));
        }
    }
    Ok(())
}

/// How the first block of the same type differs, for that is most likely the one that was meant.
fn closest<'a>(
    block: &Value,
    mut left: impl Iterator<Item = (usize, &'a Value)>,
    end: usize,
) -> Difference {
    let alike = left.find(|(_, candidate)| candidate.get("type") == block.get("type"));
    match alike.map(|(index, candidate)| (index, covers(block, candidate))) {
        Some((index, Err(found))) => found.under_index(index),
        _ => Difference::here(Some(block), None).under_index(end),
    }
}

fn has_no_empty_text(blocks: &[Value]) -> Result<(), Difference> {
    match blocks
        .iter()
        .enumerate()
        .find(|(_, block)| is_empty_text(block))
    {
        Some((index, block)) => Err(Difference::here(None, Some(block)).under_index(index)),
        None => Ok(()),
    }
}

fn is_assistant(message: &Value) -> bool {
    message.get("role").is_some_and(|role| role == "assistant")
}

fn is_empty_text(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "text")
        && block.get("text").is_some_and(|text| text == "")
}

fn blocks(message: &Value) -> &[Value] {
    message.get("content").map_or(&[], list)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
