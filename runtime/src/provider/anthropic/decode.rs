//! From what the server sent to a [`Reply`] or an [`Error`].

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{API, wire};
use crate::error::{Error, ErrorKind};
use crate::json::RawJson;
use crate::message::{
    Content, Document, Image, Message, Native, Other, Refusal, Reply, ReplyParts, Role, Source,
    StopReason, Text, Thinking, ToolCall, ToolResult, Usage,
};
use crate::transport::HttpAnswer;

/// Reads a whole reply. Its parts share the memory of the body.
pub(super) fn reply(answer: &HttpAnswer) -> Result<Reply, Error> {
    let body = &answer.body;
    let wire: wire::Reply<'_> =
        serde_json::from_slice(body).map_err(|error| not_a_reply(answer, error))?;
    let content = wire
        .content
        .ok_or_else(|| Error::protocol("the reply has no `content`"))?;
    let (content, blocks) = blocks(body, content)?;
    let native = Native {
        api: API,
        frame: None,
        blocks,
    };
    Ok(Reply::from_parts(ReplyParts {
        message: Message::with_native(Role::Assistant, content, Some(native)),
        id: wire.id,
        model: wire.model,
        stop_reason: stop_reason(wire.stop_reason),
        refusal: wire.stop_details.map(|details| Refusal {
            category: details.category,
            explanation: details.explanation,
        }),
        usage: usage(body, wire.usage),
        request_id: answer.header("request-id"),
        raw: RawJson::from_trusted(body.clone()),
    }))
}

/// A body that is no reply is often a page of a proxy, so the content type is told with it.
fn not_a_reply(answer: &HttpAnswer, error: serde_json::Error) -> Error {
    let kind = answer
        .header("content-type")
        .unwrap_or_else(|| "no content type".to_owned());
    let length = answer.body.len();
    Error::protocol(format!(
        "the server's answer is no reply of the Messages API: {error} ({kind}, {length} bytes); is the base URL right?"
    ))
    .with_source(error)
}

/// Reads a list of blocks: each in its neutral form, and as it came.
pub(super) fn blocks(body: &Bytes, list: &RawValue) -> Result<(Vec<Content>, Vec<RawJson>), Error> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get())
        .map_err(|error| Error::protocol("`content` is no list of blocks").with_source(error))?;
    let native: Vec<_> = list.iter().map(|raw| RawJson::part_of(body, raw)).collect();
    let mut content = Vec::with_capacity(list.len());
    for (at, raw) in list.into_iter().enumerate() {
        content.push(
            block(body, raw)
                .map_err(|reason| Error::protocol(format!("content[{at}]: {reason}")))?,
        );
    }
    set_aside_abandoned_calls(&mut content, &native);
    Ok((content, native))
}

/// Calls before a `fallback` block are another model's, which the one that answers has not made: they are neither run
/// nor answered.
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

/// Reads one block. A known kind with a payload that is not its own is an error; an unknown kind is kept as it is.
fn block(body: &Bytes, raw: &RawValue) -> Result<Content, String> {
    let wire: wire::Block<'_> =
        serde_json::from_str(raw.get()).map_err(|error| format!("is no content block: {error}"))?;
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
            let input = wire
                .input
                .map_or_else(RawJson::empty_object, |input| RawJson::part_of(body, input));
            Content::ToolCall(ToolCall::new(id, name, input))
        }
        "tool_result" => {
            let id = wire
                .tool_use_id
                .as_deref()
                .ok_or_else(|| missing("tool_use_id"))?;
            let content = result_content(body, wire.content)?;
            Content::ToolResult(ToolResult::with_parts(
                id,
                "",
                content,
                wire.is_error.unwrap_or_default(),
            ))
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

/// The content of a result: absent, text, or blocks.
fn result_content(body: &Bytes, content: Option<&RawValue>) -> Result<Vec<Content>, String> {
    let Some(content) = content else {
        return Ok(Vec::new());
    };
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return Ok(vec![Content::text(text)]);
    }
    blocks(body, content)
        .map(|(content, _)| content)
        .map_err(|error| error.to_string())
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

fn stop_reason(word: Option<String>) -> StopReason {
    match word.as_deref() {
        Some("end_turn") => StopReason::EndTurn,
        Some("tool_use") => StopReason::ToolUse,
        Some("max_tokens") => StopReason::MaxTokens,
        Some("stop_sequence") => StopReason::StopSequence,
        Some("pause_turn") => StopReason::PauseTurn,
        Some("compaction") => StopReason::Compaction,
        Some("refusal") => StopReason::Refusal,
        Some("model_context_window_exceeded") => StopReason::ContextFull,
        _ => StopReason::Other(word.unwrap_or_else(|| "null".to_owned())),
    }
}

/// `input_tokens` does not count what the cache served; the neutral count does.
fn usage(body: &Bytes, raw: Option<&RawValue>) -> Usage {
    let Some(raw) = raw else {
        return Usage::default();
    };
    let wire: wire::Usage = serde_json::from_str(raw.get()).unwrap_or_default();
    let cache_read = wire.cache_read_input_tokens.unwrap_or_default();
    let cache_write = wire.cache_creation_input_tokens.unwrap_or_default();
    Usage {
        input: wire
            .input_tokens
            .unwrap_or_default()
            .saturating_add(cache_read)
            .saturating_add(cache_write),
        cache_read,
        cache_write,
        output: wire.output_tokens.unwrap_or_default(),
        reasoning: wire
            .output_tokens_details
            .and_then(|details| details.thinking_tokens)
            .unwrap_or_default(),
        raw: Some(RawJson::part_of(body, raw)),
    }
}

/// Reads an error answer, whatever its body is.
pub(super) fn error(answer: &HttpAnswer) -> Error {
    let body: Option<wire::ErrorBody> = serde_json::from_slice(&answer.body).ok();
    let is_json = body.is_some();
    let (kind, message, in_body) = body.map_or((None, None, None), error_detail);
    let request_id = answer.header("request-id").or(in_body);
    let status = answer.status;
    let mut line = format!("Anthropic answered {status}");
    if let Some(kind) = kind {
        line.push_str(&format!(", {kind}"));
    }
    match &message {
        Some(message) => line.push_str(&format!(": {message}")),
        None if is_json => line.push_str(" without a message"),
        None => {
            let kind = answer
                .header("content-type")
                .unwrap_or_else(|| "no content type".to_owned());
            line.push_str(&format!(
                " with a body that is not the API's ({kind}, {} bytes)",
                answer.body.len()
            ));
        }
    }
    if let Some(id) = &request_id {
        line.push_str(&format!(" (request {id})"));
    }
    let mut told = answer.to_answer();
    (told.request_id, told.message) = (request_id, message);
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    Error::new(ErrorKind::Api, line)
        .with_answer(told)
        .with_source(text)
}

/// The error's type, its message, and the id of the request.
fn error_detail(body: wire::ErrorBody) -> (Option<String>, Option<String>, Option<String>) {
    let (kind, message) = match body.error {
        Some(wire::ErrorDetail::Full { kind, message }) => (kind, message),
        Some(wire::ErrorDetail::Text(text)) => (None, Some(text)),
        None => (None, None),
    };
    (kind, message.or(body.message), body.request_id)
}
