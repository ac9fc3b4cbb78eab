//! From a reply as the server sent it to a [`Reply`]; a stream's is put together first.

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::RawValue;

use super::content;
use super::{API, NAME, failure, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Message, Native, Refusal, Reply, ReplyParts, Role, StopReason, Usage};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::failure::not_a_reply;
use crate::provider::ids::Ids;
use crate::transport::HttpAnswer;

/// Reads a whole reply. Its parts share the memory of the body.
pub(super) fn reply(answer: &HttpAnswer, asked: Asked<'_>) -> Result<Reply, Error> {
    let body = &answer.body;
    let wire: wire::Reply<'_> =
        serde_json::from_slice(body).map_err(|error| not_a_reply(answer, NAME, &error))?;
    let Some(content) = wire.content else {
        return Err(without_content(answer, &wire));
    };
    let blocks = content::reply_blocks(body, content, asked)?;
    let mut ids = Ids::default();
    for block in &blocks.content {
        ids.claim(block)?;
    }
    Ok(whole(
        wire,
        body,
        blocks,
        asked.model,
        answer.header(failure::REQUEST_ID),
    ))
}

/// Some servers send their errors with a status of success.
fn without_content(answer: &HttpAnswer, wire: &wire::Reply<'_>) -> Error {
    if wire.kind.as_deref() == Some("error") {
        return failure::error(answer);
    }
    Error::protocol("the reply has no `content`")
}

/// A reply of which all blocks are read; the others of its fields are in `wire`, which is a part of `body`.
pub(super) fn whole(
    wire: wire::Reply<'_>,
    body: &Bytes,
    blocks: Blocks,
    model: &str,
    request_id: Option<String>,
) -> Reply {
    let native = Native {
        api: API,
        model: model.to_owned(),
        frame: None,
        blocks: blocks.native,
    };
    let usage_of = |raw| usage(RawJson::part_of(body, raw));
    Reply::from_parts(ReplyParts {
        message: Message::with_native(Role::Assistant, blocks.content, Some(native)),
        id: wire.id,
        model: wire.model,
        stop_reason: stop_reason(wire.stop_reason.as_ref()),
        refusal: wire.stop_details.and_then(refusal),
        usage: wire.usage.map(usage_of).unwrap_or_default(),
        request_id,
        container: wire.container.and_then(container),
        raw: RawJson::from_trusted(body.clone()),
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
pub(super) fn usage(raw: RawJson) -> Usage {
    let fields = raw.to_value();
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
        raw: Some(raw),
    }
}
