//! [`Chunk`]: one chunk of the API's stream, read from the data that came.

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::RawValue;

use super::content::id_of;
use super::reasoning::{PARTS, thought};
use super::wire;
use crate::error::Error;
use crate::json::RawJson;
use crate::provider::codec::Frames;
use crate::provider::failure::place;

/// What a frame of the stream tells.
#[derive(Debug)]
pub(super) enum Event {
    Chunk(Box<Chunk>),
    /// `[DONE]`.
    Done,
}

/// What a chunk adds to the reply.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The chunk as it came: some of its fields are the reply's.
    pub(super) json: RawJson,
    pub(super) delta: Delta,
    pub(super) finish_reason: Option<String>,
    pub(super) logprobs: Option<RawJson>,
    pub(super) usage: Option<RawJson>,
    /// Whether anything of the reply's message is in it.
    pub(super) has_choice: bool,
}

/// What a chunk adds to the message.
#[derive(Debug, Default)]
pub(super) struct Delta {
    pub(super) text: Option<String>,
    /// Whether it says that there is no text.
    pub(super) has_null_content: bool,
    /// By the field that it came in.
    pub(super) reasoning: Option<(&'static str, String)>,
    pub(super) reasoning_details: Vec<RawJson>,
    pub(super) refusal: Option<String>,
    pub(super) calls: Vec<CallDelta>,
    /// Fields that come whole.
    pub(super) others: Vec<(&'static str, RawJson)>,
}

/// What a chunk adds to a call.
#[derive(Debug, Default)]
pub(super) struct CallDelta {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) arguments: Option<Arguments>,
    pub(super) is_custom: bool,
    pub(super) extra_content: Option<RawJson>,
}

#[derive(Debug)]
pub(super) enum Arguments {
    /// The next part of the text.
    Part(String),
    /// All of them, as an object.
    Whole(String),
}

/// Reads a frame; `name` is what the stream calls it.
///
/// # Errors
/// Where it is no chunk.
pub(super) fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Event>, Error> {
    if data.trim_ascii() == b"[DONE]" {
        return Ok(Frames::Event(Event::Done));
    }
    if name == Some("error") {
        return Ok(Frames::Failed);
    }
    let wire: wire::Chunk<'_> = match serde_json::from_slice(data) {
        Ok(wire) => wire,
        Err(error) => {
            return Err(Error::protocol(format!(
                "a chunk of the stream is {}",
                place(&error)
            )));
        }
    };
    if wire.error.is_some_and(|error| error.get() != "null") {
        return Ok(Frames::Failed);
    }
    let choices = wire.choices.into_iter().flatten();
    let mut choices = choices.filter(|choice| choice.index.unwrap_or_default() == 0);
    let part = |raw| RawJson::part_of(data, raw);
    let mut chunk = Chunk {
        json: RawJson::from_trusted(data.clone()),
        delta: Delta::default(),
        finish_reason: None,
        logprobs: None,
        usage: wire.usage.map(part),
        has_choice: false,
    };
    if let Some(choice) = choices.next() {
        chunk.has_choice = true;
        // Empty counts as absent.
        chunk.finish_reason = choice.finish_reason.as_ref().and_then(text);
        chunk.logprobs = choice.logprobs.map(part);
        if let Some(wire) = choice.delta {
            chunk.delta = delta(data, wire);
        }
    }
    Ok(Frames::Event(Event::Chunk(Box::new(chunk))))
}

fn delta(data: &Bytes, wire: wire::Delta<'_>) -> Delta {
    let part = |raw| RawJson::part_of(data, raw);
    let mut delta = Delta {
        refusal: wire.refusal.and_then(string),
        reasoning_details: wire
            .reasoning_details
            .into_iter()
            .flatten()
            .map(part)
            .collect(),
        ..Delta::default()
    };
    if let Some(content) = wire.content {
        take_content(&mut delta, content);
    }
    for (field, raw) in [
        ("reasoning_content", wire.reasoning_content),
        ("reasoning", wire.reasoning),
    ] {
        if let Some(text) = raw.and_then(string).filter(|text| !text.is_empty()) {
            delta.reasoning.get_or_insert((field, text));
        }
    }
    let others = [
        ("annotations", wire.annotations),
        ("audio", wire.audio),
        ("images", wire.images),
        ("extra_content", wire.extra_content),
    ];
    let others = others.into_iter();
    delta.others = others
        .filter_map(|(key, raw)| Some((key, part(raw?))))
        .collect();
    let calls = wire.tool_calls.into_iter().flatten();
    delta.calls = calls.map(|wire| call(data, wire)).collect();
    delta
}

/// Text, or a list of parts with text and thinking.
fn take_content(delta: &mut Delta, content: &RawValue) {
    if let Some(text) = string(content) {
        delta.text = Some(text);
        return;
    }
    let Ok(parts) = serde_json::from_str::<Vec<wire::Part<'_>>>(content.get()) else {
        delta.has_null_content = true;
        return;
    };
    let thought: String = parts.iter().filter_map(thought).collect();
    if !thought.is_empty() {
        delta.reasoning = Some((PARTS, thought));
    }
    let texts: Vec<_> = parts.into_iter().filter_map(|part| part.text).collect();
    delta.text = (!texts.is_empty()).then(|| texts.concat());
}

fn call(data: &Bytes, wire: wire::CallDelta<'_>) -> CallDelta {
    let custom = wire::custom(wire.custom, wire.function.is_some());
    let is_custom = custom.is_some();
    let (name, arguments) = match (wire.function.filter(|_| !is_custom), custom) {
        (Some(function), _) => (function.name, function.arguments.and_then(arguments)),
        (None, Some(custom)) => {
            let input = custom
                .input
                .map(|input| Arguments::Part(input.into_owned()));
            (custom.name, input)
        }
        (None, None) => (None, None),
    };
    CallDelta {
        index: wire.index.as_ref().and_then(Value::as_u64),
        id: wire.id.as_ref().and_then(id_of),
        name: name.filter(|name| !name.is_empty()),
        arguments,
        is_custom,
        extra_content: wire.extra_content.map(|raw| RawJson::part_of(data, raw)),
    }
}

fn arguments(raw: &RawValue) -> Option<Arguments> {
    match string(raw) {
        Some(text) => Some(Arguments::Part(text)),
        None if raw.get() == "null" => None,
        None => {
            // As compact as a model writes it.
            let value: Value = serde_json::from_str(raw.get()).ok()?;
            Some(Arguments::Whole(value.to_string()))
        }
    }
}

/// A text that says something.
fn text(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| !text.is_empty())?;
    Some(text.to_owned())
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}
