//! From what the server sent to a [`Reply`] or an [`Error`].

use std::collections::HashSet;

use bytes::Bytes;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{API, wire};
use crate::error::{Answer, Error, ErrorKind};
use crate::json::RawJson;
use crate::message::{
    Content, Document, Identity, Image, Message, Native, Other, Refusal, Reply, ReplyParts, Role,
    Source, StopReason, Text, Thinking, ToolCall, ToolResult, Usage,
};
use crate::transport::HttpAnswer;

/// Reads a whole reply to a request to `model`. Its parts share the memory of the body.
pub(super) fn reply(answer: &HttpAnswer, model: &str) -> Result<Reply, Error> {
    let body = &answer.body;
    let wire: wire::Reply<'_> =
        serde_json::from_slice(body).map_err(|error| not_a_reply(answer, &error))?;
    let Some(content) = wire.content else {
        return Err(without_content(answer, &wire));
    };
    let (content, blocks) = blocks(body, content)?;
    check_ids(&content)?;
    let native = Native {
        api: API,
        model: model.to_owned(),
        frame: None,
        blocks,
    };
    Ok(Reply::from_parts(ReplyParts {
        message: Message::with_native(Role::Assistant, content, Some(native)),
        id: wire.id,
        model: wire.model,
        stop_reason: stop_reason(wire.stop_reason.as_ref()),
        refusal: wire.stop_details.and_then(refusal),
        usage: usage(body, wire.usage),
        request_id: answer.header("request-id"),
        container: wire.container.and_then(container),
        raw: RawJson::from_trusted(body.clone()),
    }))
}

/// Results are told apart by the ids of their calls.
fn check_ids(content: &[Content]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    for call in content.iter().filter_map(Content::as_tool_call) {
        if call.id().is_empty() {
            return Err(Error::protocol(format!(
                "the call of `{}` has no id",
                call.name()
            )));
        }
        if !seen.insert(call.id()) {
            return Err(Error::protocol(format!(
                "two calls of the reply have the id `{}`",
                call.id()
            )));
        }
    }
    Ok(())
}

/// A body that is no reply is often a page of a proxy, so the content type is told with it.
fn not_a_reply(answer: &HttpAnswer, error: &serde_json::Error) -> Error {
    let (kind, length) = (content_type(answer), answer.body.len());
    Error::protocol(format!(
        "the server's answer is not a reply of the Messages API: {} ({kind}, {length} bytes){}",
        place(error),
        if kind.contains("json") {
            ""
        } else {
            "; is the base URL right?"
        }
    ))
}

/// Some servers send their errors with a status of success.
fn without_content(answer: &HttpAnswer, wire: &wire::Reply<'_>) -> Error {
    if wire.kind.as_deref() == Some("error") {
        return error(answer);
    }
    Error::protocol("the reply has no `content`")
}

/// An error about a reply, with what else is known of it.
pub(super) fn unreadable(error: Error, answer: &HttpAnswer) -> Error {
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    if error.status().is_some() {
        return error.with_source(body);
    }
    let request_id = answer.header("request-id");
    let line = match &request_id {
        Some(id) => format!("{error} (request {id})"),
        None => error.to_string(),
    };
    let headers = Answer {
        status: answer.status.as_u16(),
        request_id,
        ..Answer::default()
    };
    Error::protocol(line).with_answer(headers).with_source(body)
}

/// Where JSON is not what it should be. serde's own words would quote the body.
fn place(error: &serde_json::Error) -> String {
    let what = if error.is_data() {
        "not the expected data"
    } else {
        "no JSON"
    };
    format!("{what} at line {} column {}", error.line(), error.column())
}

/// The type of the body, and how it is packed: gzip was not asked for and is not read.
fn content_type(answer: &HttpAnswer) -> String {
    let kind = answer
        .header("content-type")
        .unwrap_or_else(|| "no content type".to_owned());
    match answer.header("content-encoding") {
        Some(encoding) => format!("{kind}, {encoding}"),
        None => kind,
    }
}

/// Reads a list of blocks: each in its neutral form, and as it came.
pub(super) fn blocks(body: &Bytes, list: &RawValue) -> Result<(Vec<Content>, Vec<RawJson>), Error> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get())
        .map_err(|_| Error::protocol("`content` is no list of blocks"))?;
    let native: Vec<_> = list.iter().map(|raw| RawJson::part_of(body, raw)).collect();
    let mut content = Vec::with_capacity(list.len());
    for (at, raw) in list.into_iter().enumerate() {
        let block = block(body, raw);
        content.push(block.map_err(|reason| Error::protocol(format!("content[{at}]: {reason}")))?);
    }
    set_aside_abandoned_calls(&mut content, &native);
    Ok((content, native))
}

/// Calls before a `fallback` block are another model's, which the one that answers has not made:
/// they are neither run nor answered.
fn set_aside_abandoned_calls(content: &mut [Content], native: &[RawJson]) {
    let is_fallback =
        |block: &Content| matches!(block, Content::Other(other) if other.kind == "fallback");
    let Some(seam) = content.iter().rposition(is_fallback) else {
        return;
    };
    for (block, json) in content.iter_mut().zip(native).take(seam) {
        if block.as_tool_call().is_some() {
            *block = other("tool_use", json.clone());
        }
    }
}

/// Reads one block of a message.
fn block(body: &Bytes, raw: &RawValue) -> Result<Content, String> {
    let wire: wire::Block<'_> = match serde_json::from_str(raw.get()) {
        Ok(wire) => wire,
        Err(error) => return unread(body, raw, &error),
    };
    if wire.kind != "tool_result" {
        return part(body, raw, wire);
    }
    let id = wire
        .tool_use_id
        .as_deref()
        .ok_or("a `tool_result` block without `tool_use_id`")?;
    let content = result_content(body, wire.content)?;
    let is_error = wire.is_error.unwrap_or_default();
    Ok(Content::ToolResult(ToolResult::with_parts(
        Identity::new(id, ""),
        content,
        is_error,
    )))
}

/// A known kind with a payload that is not its own is an error; an unknown kind may have any.
fn unread(body: &Bytes, raw: &RawValue, error: &serde_json::Error) -> Result<Content, String> {
    const KNOWN: &[&str] = &["text", "thinking", "tool_use", "tool_result"];
    match serde_json::from_str::<wire::Kind>(raw.get()) {
        Ok(wire::Kind { kind }) if !KNOWN.contains(&kind.as_str()) => {
            Ok(other(&kind, RawJson::part_of(body, raw)))
        }
        Ok(wire::Kind { kind }) => Err(format!("a `{kind}` block is {}", place(error))),
        Err(_) => Err("a block without a `type`".to_owned()),
    }
}

/// Reads a block that may also stand in a result.
fn part(body: &Bytes, raw: &RawValue, wire: wire::Block<'_>) -> Result<Content, String> {
    let kind = wire.kind.as_str();
    let missing = |field: &str| format!("a `{kind}` block without `{field}`");
    Ok(match kind {
        "text" => Content::Text(Text {
            text: wire.text.ok_or_else(|| missing("text"))?,
        }),
        "thinking" => Content::Thinking(Thinking {
            text: wire.thinking.ok_or_else(|| missing("thinking"))?,
        }),
        "tool_use" => {
            let id = wire.id.ok_or_else(|| missing("id"))?;
            let name = wire.name.ok_or_else(|| missing("name"))?;
            // Absent or null: no arguments, and nothing that may be sent back as it is.
            let input = wire
                .input
                .map_or_else(RawJson::null, |input| RawJson::part_of(body, input));
            Content::ToolCall(ToolCall::new(id, name, input))
        }
        "image" | "document" => match wire.source.and_then(source) {
            Some(source) if kind == "image" => Content::Image(Image { source }),
            Some(source) => Content::Document(Document {
                source,
                title: wire.title,
            }),
            None => other(kind, RawJson::part_of(body, raw)),
        },
        _ => other(kind, RawJson::part_of(body, raw)),
    })
}

fn other(kind: &str, json: RawJson) -> Content {
    Content::Other(Other {
        api: API,
        kind: kind.to_owned(),
        json,
    })
}

/// The content of a result: absent, text, or blocks. Results do not nest.
fn result_content(body: &Bytes, content: Option<&RawValue>) -> Result<Vec<Content>, String> {
    let Some(content) = content else {
        return Ok(Vec::new());
    };
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return Ok(vec![Content::text(text)]);
    }
    let list: Vec<&RawValue> = serde_json::from_str(content.get())
        .map_err(|_| "the content of a result is neither text nor a list of blocks")?;
    let read = |raw: &RawValue| match serde_json::from_str::<wire::Block<'_>>(raw.get()) {
        Ok(wire) => part(body, raw, wire),
        Err(error) => unread(body, raw, &error),
    };
    list.into_iter().map(read).collect()
}

/// The neutral form of a source; `None` for kinds that have none.
fn source(raw: &RawValue) -> Option<Source> {
    Some(match serde_json::from_str(raw.get()).ok()? {
        wire::Source::Base64 { media_type, data } => Source::Base64 { media_type, data },
        wire::Source::Url { url } => Source::Url(url),
        wire::Source::File { file_id } => Source::File(file_id),
        wire::Source::Text { data, .. } => Source::Text(data),
    })
}

fn stop_reason(word: Option<&Value>) -> StopReason {
    match word.and_then(Value::as_str) {
        Some("end_turn") => StopReason::EndTurn,
        Some("tool_use") => StopReason::ToolUse,
        Some("max_tokens") => StopReason::MaxTokens,
        Some("stop_sequence") => StopReason::StopSequence,
        Some("pause_turn") => StopReason::PauseTurn,
        Some("compaction") => StopReason::Compaction,
        Some("refusal") => StopReason::Refusal,
        Some("model_context_window_exceeded") => StopReason::ContextFull,
        Some(other) => StopReason::Other(other.to_owned()),
        None => StopReason::Other(word.map_or_else(|| "null".to_owned(), Value::to_string)),
    }
}

/// Details of another shape are no reason to lose the reply; they are in its raw JSON.
fn refusal(raw: &RawValue) -> Option<Refusal> {
    let details: wire::StopDetails = serde_json::from_str(raw.get()).ok()?;
    Some(Refusal {
        category: details.category,
        explanation: details.explanation,
    })
}

/// Null where the reply worked in none.
fn container(raw: &RawValue) -> Option<String> {
    let container: wire::Container = serde_json::from_str(raw.get()).ok()?;
    Some(container.id)
}

/// `input_tokens` does not count what the cache served; the neutral count does. A field of another
/// shape counts 0, and is no reason to lose the others.
fn usage(body: &Bytes, raw: Option<&RawValue>) -> Usage {
    let Some(raw) = raw else {
        return Usage::default();
    };
    let fields: Value = serde_json::from_str(raw.get()).unwrap_or_default();
    let tokens = |pointer: &str| {
        fields
            .pointer(pointer)
            .and_then(Value::as_u64)
            .unwrap_or_default()
    };
    let cache_read = tokens("/cache_read_input_tokens");
    let cache_write = tokens("/cache_creation_input_tokens");
    Usage {
        input: tokens("/input_tokens")
            .saturating_add(cache_read)
            .saturating_add(cache_write),
        cache_read,
        cache_write,
        output: tokens("/output_tokens"),
        reasoning: tokens("/output_tokens_details/thinking_tokens"),
        raw: Some(RawJson::part_of(body, raw)),
    }
}

/// Reads an error answer, whatever its body is. What a person should not see has been taken out.
pub(super) fn error(answer: &HttpAnswer) -> Error {
    let body: Option<wire::ErrorBody> = serde_json::from_slice(&answer.body).ok();
    let told = body.map_or_else(Told::default, Told::of);
    let mut headers = answer.to_answer();
    let request_id = answer.header("request-id").or(told.request_id);
    let mut line = format!("Anthropic answered {}", answer.status);
    line.extend(told.kind.map(|kind| format!(", {kind}")));
    line.push_str(&match &told.message {
        Some(message) => format!(": {message}"),
        None => without_message(answer),
    });
    line.extend(request_id.as_ref().map(|id| format!(" (request {id})")));
    (headers.request_id, headers.message) = (request_id, told.message);
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    Error::new(ErrorKind::Api, line)
        .with_answer(headers)
        .with_source(text)
}

fn without_message(answer: &HttpAnswer) -> String {
    if let Some(location) = answer.header("location") {
        return format!(": it redirects to {location}; is the base URL right?");
    }
    if serde_json::from_slice::<IgnoredAny>(&answer.body).is_ok() {
        return " without a message".to_owned();
    }
    let (kind, length) = (content_type(answer), answer.body.len());
    format!(" with a body that is not the API's ({kind}, {length} bytes)")
}

/// What the body of an error says.
#[derive(Default)]
struct Told {
    kind: Option<String>,
    message: Option<String>,
    request_id: Option<String>,
}

impl Told {
    fn of(body: wire::ErrorBody) -> Self {
        let (kind, message) = match body.error {
            Some(wire::ErrorDetail::Full { kind, message }) => (kind, message),
            Some(wire::ErrorDetail::Text(text)) => (None, Some(text)),
            None => (None, None),
        };
        Self {
            kind,
            message: message.or(body.message),
            request_id: body.request_id,
        }
    }
}
