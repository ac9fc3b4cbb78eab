//! From a reply as the server sent it to a [`Reply`]; a stream's is put together first.

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::RawValue;

use super::content::{self, Turn};
use super::{API, NAME, failure, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Message, Native, Refusal, Reply, ReplyParts, Role, StopReason, Usage};
use crate::provider::asked::Asked;
use crate::provider::failure::not_a_reply;
use crate::transport::HttpAnswer;

/// Reads a whole reply. Its parts share the memory of the body.
pub(super) fn reply(answer: &HttpAnswer, asked: Asked<'_>) -> Result<Reply, Error> {
    let body = &answer.body;
    let wire: wire::Completion<'_> =
        serde_json::from_slice(body).map_err(|error| not_a_reply(answer, NAME, &error))?;
    let Some(choice) = wire.choices.into_iter().flatten().next() else {
        return Err(without_choice(answer, wire.error));
    };
    let Some(message) = choice.message else {
        return Err(Error::protocol("`choices[0]` has no `message`"));
    };
    let turn = content::turn(&RawJson::part_of(body, message), asked)?;
    let head = Head {
        id: wire.id.unwrap_or_default(),
        model: wire.model.unwrap_or_default(),
        finish_reason: choice.finish_reason,
        usage: wire.usage.map(|raw| RawJson::part_of(body, raw)),
        request_id: answer.header(failure::REQUEST_ID),
    };
    Ok(whole(head, turn, body.clone(), asked.model))
}

/// Some servers send their errors with a status of success.
fn without_choice(answer: &HttpAnswer, error: Option<&RawValue>) -> Error {
    if error.is_some_and(|error| error.get() != "null") {
        return failure::error(answer);
    }
    Error::protocol("the reply has no `choices`")
}

/// What a reply says beside its message.
pub(super) struct Head {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) finish_reason: Option<Value>,
    pub(super) usage: Option<RawJson>,
    pub(super) request_id: Option<String>,
}

/// A reply of which the message is read.
pub(super) fn whole(head: Head, turn: Turn, body: Bytes, model: &str) -> Reply {
    let has_calls = turn
        .blocks
        .content
        .iter()
        .any(|block| block.as_tool_call().is_some());
    let stop_reason = stop_reason(
        head.finish_reason.as_ref(),
        has_calls,
        turn.refusal.is_some(),
    );
    let refusal = (stop_reason == StopReason::Refusal).then_some(Refusal {
        category: None,
        explanation: turn.refusal,
    });
    let native = Native {
        api: API,
        model: model.to_owned(),
        frame: turn.frame,
        blocks: turn.blocks.native,
    };
    Reply::from_parts(ReplyParts {
        message: Message::with_native(Role::Assistant, turn.blocks.content, Some(native)),
        id: head.id,
        model: head.model,
        stop_reason,
        refusal,
        usage: head.usage.map(usage).unwrap_or_default(),
        request_id: head.request_id,
        container: None,
        raw: RawJson::from_trusted(body),
    })
}

/// Servers say `stop`, or nothing, also where there are calls; only a reason for which they cannot be whole counts. Some
/// write the words in capitals.
fn stop_reason(word: Option<&Value>, has_calls: bool, is_refused: bool) -> StopReason {
    let word = word.and_then(Value::as_str);
    match word.map(str::to_ascii_lowercase).as_deref() {
        Some("length" | "model_length") => StopReason::MaxTokens,
        Some("content_filter") => StopReason::Refusal,
        _ if is_refused && !has_calls => StopReason::Refusal,
        _ if has_calls => StopReason::ToolUse,
        // Calls were announced, and none came: nothing is left to be done.
        Some("stop" | "" | "eos" | "tool_calls") | None => StopReason::EndTurn,
        Some(other) => StopReason::Other(word.unwrap_or(other).to_owned()),
    }
}

/// A field of another shape counts 0, and is no reason to lose the others.
pub(super) fn usage(raw: RawJson) -> Usage {
    let fields = raw.to_value();
    let tokens = |pointers: &[&str]| {
        let mut found = pointers
            .iter()
            .filter_map(|at| fields.pointer(at)?.as_u64());
        found.next().unwrap_or_default()
    };
    Usage {
        input: tokens(&["/prompt_tokens"]),
        // The second is DeepSeek's.
        cache_read: tokens(&[
            "/prompt_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
        ]),
        cache_write: tokens(&["/prompt_tokens_details/cache_write_tokens"]),
        output: tokens(&["/completion_tokens"]),
        reasoning: tokens(&["/completion_tokens_details/reasoning_tokens"]),
        raw: Some(raw),
    }
}
