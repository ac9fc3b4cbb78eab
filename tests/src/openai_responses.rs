//! What may differ between the recorded and the arrived input of the Responses API.
//!
//! The items come as `normal` writes them.

use serde_json::{Map, Value};

use crate::equality::{Difference, equal};

/// Varies between the events of one stream, so its value does not count.
const ENCRYPTED: &str = "encrypted_content";

/// The calls and their outputs are equal in order, whatever stands between them.
pub(crate) fn compare(expected: &[Value], got: &[Value]) -> Result<(), Difference> {
    let (expected, got) = (calls(expected), calls(got));
    for index in 0..expected.len().max(got.len()) {
        let (left, right) = (expected.get(index), got.get(index));
        let compared = match (left, right) {
            (Some((_, left)), Some((_, right))) => equal(left, right),
            _ => Err(Difference::here(
                left.map(|(_, item)| item),
                right.map(|(_, item)| item),
            )),
        };
        let place = right.or(left).map_or(index, |(place, _)| *place);
        compared.map_err(|found| found.under_index(place))?;
    }
    Ok(())
}

/// From the item `new` on, the items of the reply stand in order, and beside them only outputs of calls.
pub(crate) fn sent_back(reply: &Value, got: &[Value], new: usize) -> Result<(), Difference> {
    let mut items = reply.as_array().map_or(&[][..], Vec::as_slice).iter();
    let mut awaited = items.next();
    for (index, item) in got.iter().enumerate().skip(new) {
        let compared = awaited.map_or(Err(Difference::here(None, Some(item))), |awaited| {
            is_whole(awaited, item)
        });
        match compared {
            Ok(()) => awaited = items.next(),
            Err(_) if is_output(item) => {}
            Err(found) => return Err(found.under_index(index)),
        }
    }
    awaited.map_or(Ok(()), |awaited| {
        Err(Difference::here(Some(awaited), None).under_index(got.len()))
    })
}

/// The items that are calls or outputs, with their places, as far as they compare.
fn calls(items: &[Value]) -> Vec<(usize, Value)> {
    let calls = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.get("call_id").is_some());
    calls.map(|(place, item)| (place, essence(item))).collect()
}

fn essence(item: &Value) -> Value {
    let keys = ["type", "call_id", "name", "arguments", "input", "output"];
    let found = keys
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), item.get(*key)?.clone())));
    Value::Object(found.collect())
}

fn is_output(item: &Value) -> bool {
    item.get("type")
        .and_then(Value::as_str)
        .is_some_and(|kind| kind.ends_with("_call_output"))
}

/// Whether `got` is `item`, encrypted content aside, which must only be there.
fn is_whole(item: &Value, got: &Value) -> Result<(), Difference> {
    match (item, got) {
        (Value::Object(left), Value::Object(right)) => {
            if let (Some(hidden), None) = (left.get(ENCRYPTED), right.get(ENCRYPTED)) {
                return Err(Difference::here(Some(hidden), None).under_key(ENCRYPTED));
            }
            equal(&without_encrypted(left), &without_encrypted(right))
        }
        _ => equal(item, got),
    }
}

fn without_encrypted(item: &Map<String, Value>) -> Value {
    let mut item = item.clone();
    item.shift_remove(ENCRYPTED);
    Value::Object(item)
}
