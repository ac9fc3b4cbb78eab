//! [`Event`]: one event of the API's stream, read from the data that came.

use bytes::Bytes;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as NameError, StrDeserializer};
use serde_json::value::RawValue;

use super::wire::{self, DeltaKind, EventKind};
use crate::error::Error;
use crate::json::RawJson;
use crate::provider::codec::Frames;
use crate::provider::failure::place;
use crate::raw_object::RawObject;

/// What the API tells of a reply. Parts are slices of the data that they came in.
#[derive(Debug)]
pub(super) enum Event {
    /// The reply begins: all of its fields that are known by then.
    MessageStart(RawJson),
    /// A block begins, whole but for what its deltas bring.
    BlockStart {
        index: u64,
        block: RawJson,
    },
    BlockDelta {
        index: u64,
        delta: Delta,
    },
    BlockStop {
        index: u64,
    },
    /// Fields of the reply, and of its usage, as they are from now on.
    MessageDelta {
        fields: RawObject,
        usage: RawObject,
    },
    /// All is said.
    MessageStop,
}

/// What is added to a block.
#[derive(Debug)]
pub(super) enum Delta {
    /// The next part of a field that is text.
    Part(&'static str, String),
    Citation(RawJson),
    /// Fields that take the place of those before.
    Fields(Vec<(&'static str, RawJson)>),
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
    let kind = wire.kind.unwrap_or_else(|| unnamed(name, &wire));
    let missing = |field| bad(kind, &format!("without `{field}`"));
    let index = || wire.index.ok_or_else(|| missing("index"));
    Ok(Frames::Event(match kind {
        EventKind::MessageStart => {
            let message = wire.message.ok_or_else(|| missing("message"))?;
            Event::MessageStart(RawJson::part_of(data, message))
        }
        EventKind::ContentBlockStart => {
            let block = wire.content_block.ok_or_else(|| missing("content_block"))?;
            let block = RawJson::part_of(data, block);
            Event::BlockStart {
                index: index()?,
                block,
            }
        }
        EventKind::ContentBlockDelta => {
            let index = index()?;
            match delta(data, wire.delta.ok_or_else(|| missing("delta"))?)? {
                Some(delta) => Event::BlockDelta { index, delta },
                None => return Ok(Frames::Nothing),
            }
        }
        EventKind::ContentBlockStop => Event::BlockStop { index: index()? },
        EventKind::MessageDelta => message_delta(data)?,
        EventKind::MessageStop => Event::MessageStop,
        EventKind::Error => return Ok(Frames::Failed),
        EventKind::Ping | EventKind::Unknown => return Ok(Frames::Nothing),
    }))
}

/// The kind of an event whose data does not say it: some servers leave it to the stream, and of errors out.
fn unnamed(name: Option<&str>, wire: &wire::Event<'_>) -> EventKind {
    match name.map(named) {
        None | Some(EventKind::Unknown) if wire.error.is_some() => EventKind::Error,
        Some(kind) => kind,
        None => EventKind::Unknown,
    }
}

fn named(name: &str) -> EventKind {
    let name: StrDeserializer<'_, NameError> = name.into_deserializer();
    EventKind::deserialize(name).unwrap_or(EventKind::Unknown)
}

/// A known event with a payload that is not its own is an error; an unknown one may have any.
fn unread(
    name: Option<&str>,
    data: &Bytes,
    error: &serde_json::Error,
) -> Result<Frames<Event>, Error> {
    // From servers that speak OpenAI's API too, which ends its streams so.
    if data.trim_ascii() == b"[DONE]" {
        return Ok(Frames::Nothing);
    }
    let outline: Option<wire::EventOutline<'_>> = serde_json::from_slice(data).ok();
    let kind = match &outline {
        Some(wire::EventOutline {
            kind: Some(kind), ..
        }) => Some(*kind),
        _ => name.map(named),
    };
    let delta = outline.and_then(|outline| outline.delta);
    match kind {
        Some(EventKind::Unknown | EventKind::Ping) => Ok(Frames::Nothing),
        Some(EventKind::Error) => Ok(Frames::Failed),
        Some(EventKind::ContentBlockDelta) if delta.is_some_and(is_unknown_delta) => {
            Ok(Frames::Nothing)
        }
        Some(kind) => Err(bad(kind, &format!("that is {}", place(error)))),
        None => Err(Error::protocol(format!(
            "an event of the stream is {}",
            place(error)
        ))),
    }
}

fn is_unknown_delta(delta: &RawValue) -> bool {
    let outline = serde_json::from_str::<wire::DeltaOutline>(delta.get());
    outline.is_ok_and(|outline| outline.kind == Some(DeltaKind::Unknown))
}

fn delta(data: &Bytes, wire: wire::Delta<'_>) -> Result<Option<Delta>, Error> {
    let without = |field: &str| {
        bad(
            EventKind::ContentBlockDelta,
            &format!("whose delta has no `{field}`"),
        )
    };
    let part = |raw| RawJson::part_of(data, raw);
    let text = |field, text: Option<String>| {
        let text = text.ok_or_else(|| without(field))?;
        Ok(Delta::Part(field, text))
    };
    Ok(Some(match wire.kind.ok_or_else(|| without("type"))? {
        DeltaKind::TextDelta => text("text", wire.text)?,
        DeltaKind::ThinkingDelta => text("thinking", wire.thinking)?,
        DeltaKind::InputJsonDelta => match wire.partial_json {
            Some(part) => Delta::Part("input", part),
            None => return Err(without("partial_json")),
        },
        DeltaKind::SignatureDelta => {
            let signature = wire.signature.ok_or_else(|| without("signature"))?;
            Delta::Fields(vec![("signature", part(signature))])
        }
        DeltaKind::CitationsDelta => {
            Delta::Citation(part(wire.citation.ok_or_else(|| without("citation"))?))
        }
        DeltaKind::CompactionDelta => {
            let fields = [
                ("content", wire.content),
                ("encrypted_content", wire.encrypted_content),
            ];
            let given = fields.into_iter();
            Delta::Fields(
                given
                    .filter_map(|(key, raw)| Some((key, part(raw?))))
                    .collect(),
            )
        }
        DeltaKind::Unknown => return Ok(None),
    }))
}

/// All fields, since a reply keeps those that haft does not know: what stands in `delta`, and what stands beside it.
fn message_delta(data: &Bytes) -> Result<Event, Error> {
    let object = |json: &RawJson| {
        RawObject::parse(json).map_err(|error| {
            bad(
                EventKind::MessageDelta,
                &format!("that is {}", place(&error)),
            )
        })
    };
    let mut beside = object(&RawJson::from_trusted(data.clone()))?;
    beside.take("type");
    let delta = beside.take("delta");
    let usage = beside
        .take("usage")
        .filter(|usage| usage.as_str() != "null");
    let delta = delta.ok_or_else(|| bad(EventKind::MessageDelta, "without `delta`"))?;
    let mut fields = object(&delta)?;
    fields.update(beside);
    Ok(Event::MessageDelta {
        fields,
        usage: usage.as_ref().map(object).transpose()?.unwrap_or_default(),
    })
}

fn bad(kind: EventKind, what: &str) -> Error {
    let name = match kind {
        EventKind::MessageStart => "message_start",
        EventKind::ContentBlockStart => "content_block_start",
        EventKind::ContentBlockDelta => "content_block_delta",
        EventKind::ContentBlockStop => "content_block_stop",
        EventKind::MessageDelta => "message_delta",
        EventKind::MessageStop => "message_stop",
        EventKind::Ping | EventKind::Error | EventKind::Unknown => "an unknown",
    };
    Error::protocol(format!("the stream has a `{name}` event {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: Option<&str>, data: &str) -> Result<Frames<Event>, Error> {
        read(name, &Bytes::from(data.to_owned()))
    }

    fn refused(data: &str) -> String {
        event(None, data).unwrap_err().to_string()
    }

    #[test]
    fn the_data_says_what_an_event_is_and_else_its_name() {
        let stop = event(Some("content_block_delta"), r#"{"type":"message_stop"}"#);
        assert!(matches!(stop, Ok(Frames::Event(Event::MessageStop))));
        let stop = event(Some("content_block_stop"), r#"{"index":7}"#);
        assert!(matches!(
            stop,
            Ok(Frames::Event(Event::BlockStop { index: 7 }))
        ));
    }

    // RN-17 and T8.
    #[test]
    fn what_is_newer_than_haft_is_no_event() {
        for data in [
            r#"{"type":"brand_new"}"#,
            r#"{"type":"brand_new","index":"x","delta":[1]}"#,
            r#"{"type":"ping","index":{}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"brand_new_delta"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"brand_new_delta","text":1}}"#,
            "{}",
            " [DONE]",
        ] {
            assert!(matches!(event(None, data), Ok(Frames::Nothing)), "{data}");
        }
        assert!(matches!(
            event(Some("brand_new"), "no JSON"),
            Ok(Frames::Nothing)
        ));
    }

    // RN-17.
    #[test]
    fn a_known_event_with_a_bad_payload_is_refused() {
        let delta = |delta: &str| {
            refused(&format!(
                r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#
            ))
        };
        let of = |what: &str| format!("the stream has a `content_block_delta` event {what}");
        assert_eq!(
            delta(r#"{"type":"text_delta"}"#),
            of("whose delta has no `text`")
        );
        assert_eq!(delta(r#"{"text":"x"}"#), of("whose delta has no `type`"));
        assert_eq!(
            delta(r#"{"type":"input_json_delta"}"#),
            of("whose delta has no `partial_json`")
        );
        let wrong = delta(r#"{"type":"text_delta","text":{"sk":"secret"}}"#);
        assert!(
            wrong.starts_with(&of("that is not the expected data at line 1")),
            "{wrong}"
        );
        assert!(!wrong.contains("secret"), "{wrong}");
        assert_eq!(
            refused(r#"{"type":"content_block_start","index":0}"#),
            "the stream has a `content_block_start` event without `content_block`"
        );
        assert_eq!(
            refused(r#"{"type":"content_block_stop"}"#),
            "the stream has a `content_block_stop` event without `index`"
        );
        assert_eq!(
            refused(r#"{"type":"message_delta","usage":{}}"#),
            "the stream has a `message_delta` event without `delta`"
        );
        assert_eq!(
            refused("{"),
            "an event of the stream is no JSON at line 1 column 1"
        );
    }

    #[test]
    fn errors_of_all_servers_are_failures() {
        for (name, data) in [
            (
                None,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#,
            ),
            (
                None,
                r#"{"error":{"code":500,"message":"x","type":"server_error"}}"#,
            ),
            (Some("error"), r#"{"error":"x"}"#),
            (Some("message"), r#"{"error":"x"}"#),
            (Some("error"), "no JSON"),
        ] {
            assert!(matches!(event(name, data), Ok(Frames::Failed)), "{data}");
        }
    }

    #[test]
    fn a_message_delta_keeps_what_stands_beside_it() {
        let data = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":null,"new":{"n":1.0}}"#;
        let Ok(Frames::Event(Event::MessageDelta { fields, usage })) = event(None, data) else {
            panic!("no message_delta");
        };
        assert_eq!(
            fields.compose().as_str(),
            r#"{"stop_reason":"end_turn","new":{"n":1.0}}"#
        );
        assert_eq!(usage.compose().as_str(), "{}");
    }
}
