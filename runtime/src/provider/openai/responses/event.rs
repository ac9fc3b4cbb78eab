//! [`Event`]: one event of the API's stream, read from the data that came.

use bytes::Bytes;
use serde_json::value::RawValue;

use super::wire;
use crate::error::Error;
use crate::json::RawJson;
use crate::provider::codec::Frames;
use crate::provider::failure::place;

/// What the API tells of a reply. Parts are slices of the data that they came in.
#[derive(Debug)]
pub(super) enum Event {
    /// The reply begins, or is on its way: all of its fields that are known by then.
    Response(RawJson),
    /// An item begins, whole but for what its deltas bring.
    ItemAdded { of: Of, item: RawJson },
    /// A part of an item.
    Delta { of: Of, field: Field, part: Part },
    /// An item as it counts.
    ItemDone { of: Of, item: RawJson },
    /// The reply as it counts.
    Ended(RawJson),
}

/// Which item an event is of: by its index, which some servers do not tell, else by its id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Of {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
}

/// What a part is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A message's part, by its place.
    Text(u64),
    Refusal(u64),
    /// The arguments of a function, or the text of a tool that takes one.
    Input,
    /// A paragraph of a summary, by its place.
    Summary(u64),
    /// Reasoning itself, by its place.
    Reasoning(u64),
}

#[derive(Debug)]
pub(super) enum Part {
    /// The next one.
    Next(String),
    /// All of it.
    Whole(String),
}

/// Reads an event; `name` is what the stream calls it.
///
/// # Errors
/// Where a known event has not what it must have.
pub(super) fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Event>, Error> {
    let wire: wire::Event<'_> = match serde_json::from_slice(data) {
        Ok(wire) => wire,
        Err(error) => return unread(name, data, &error),
    };
    let kind = wire.kind.as_deref().or(name).unwrap_or_default();
    let missing = |field: &str| bad(kind, &format!("without `{field}`"));
    let json = |raw| RawJson::part_of(data, raw);
    let item = || wire.item.map(json).ok_or_else(|| missing("item"));
    let response = || wire.response.map(json).ok_or_else(|| missing("response"));
    let of_item = || Of {
        index: wire.output_index,
        id: wire.item.and_then(item_id),
    };
    Ok(Frames::Event(match kind {
        "response.created" | "response.in_progress" | "response.queued" => {
            Event::Response(response()?)
        }
        "response.output_item.added" => Event::ItemAdded {
            of: of_item(),
            item: item()?,
        },
        "response.output_item.done" => Event::ItemDone {
            of: of_item(),
            item: item()?,
        },
        "response.completed" | "response.incomplete" => Event::Ended(response()?),
        "response.failed" | "error" => return Ok(Frames::Failed),
        "" if wire.error.is_some_and(|error| error.get() != "null") => return Ok(Frames::Failed),
        _ => match part(kind, &wire)? {
            Some((field, part)) => Event::Delta {
                of: Of {
                    index: wire.output_index,
                    id: wire.item_id.clone(),
                },
                field,
                part,
            },
            None => return Ok(Frames::Nothing),
        },
    }))
}

/// The part that an event brings, and what it is of.
fn part(kind: &str, wire: &wire::Event<'_>) -> Result<Option<(Field, Part)>, Error> {
    let Some((kind_of_part, end)) = kind.rsplit_once('.') else {
        return Ok(None);
    };
    let content = wire.content_index.unwrap_or_default();
    let (field, whole) = match kind_of_part {
        "response.output_text" => (Field::Text(content), wire.text),
        "response.refusal" => (Field::Refusal(content), None),
        "response.function_call_arguments" => (Field::Input, wire.arguments),
        "response.custom_tool_call_input" => (Field::Input, wire.input),
        "response.reasoning_summary_text" => {
            let paragraph = wire.summary_index.unwrap_or_default();
            (Field::Summary(paragraph), wire.text)
        }
        "response.reasoning_text" => (Field::Reasoning(content), wire.text),
        _ => return Ok(None),
    };
    Ok(match end {
        "delta" => {
            let next = wire.delta.and_then(text);
            let next = next.ok_or_else(|| bad(kind, "without `delta`"))?;
            Some((field, Part::Next(next)))
        }
        // What is missing here comes with the item.
        "done" => whole
            .and_then(text)
            .map(|whole| (field, Part::Whole(whole))),
        _ => None,
    })
}

fn item_id(item: &RawValue) -> Option<String> {
    serde_json::from_str::<wire::ItemId>(item.get()).ok()?.id
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// A known event with a payload that is not its own is an error; an unknown one may have any.
fn unread(
    name: Option<&str>,
    data: &Bytes,
    error: &serde_json::Error,
) -> Result<Frames<Event>, Error> {
    if data.trim_ascii() == b"[DONE]" {
        return Ok(Frames::Nothing);
    }
    let kind: Option<wire::Kind> = serde_json::from_slice(data).ok();
    match kind.as_ref().map(|kind| kind.kind.as_str()).or(name) {
        Some("response.failed" | "error") => Ok(Frames::Failed),
        Some(kind) if !KNOWN.contains(&kind) => Ok(Frames::Nothing),
        Some(kind) => Err(bad(kind, &format!("that is {}", place(error)))),
        None => Err(Error::protocol(format!(
            "an event of the stream is {}",
            place(error)
        ))),
    }
}

/// Those without which a reply is not whole.
const KNOWN: &[&str] = &[
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.output_text.delta",
    "response.function_call_arguments.delta",
    "response.completed",
    "response.incomplete",
];

fn bad(kind: &str, what: &str) -> Error {
    Error::protocol(format!("the stream has a `{kind}` event {what}"))
}
