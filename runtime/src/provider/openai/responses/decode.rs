//! From a reply as the server sent it to a [`Reply`]; a stream's comes whole with its last event.

use serde_json::Value;
use serde_json::value::RawValue;

use super::content::{self, Output};
use super::{API, NAME, failure, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Message, Native, Refusal, Reply, ReplyParts, Role, StopReason, Usage};
use crate::provider::asked::Asked;
use crate::provider::failure::{not_a_reply, place};
use crate::transport::HttpAnswer;

/// Reads a whole reply. Its parts share the memory of the body.
pub(super) fn reply(answer: &HttpAnswer, asked: Asked<'_>) -> Result<Reply, Error> {
    let body = RawJson::from_trusted(answer.body.clone());
    let wire: wire::Response<'_> =
        serde_json::from_slice(&answer.body).map_err(|error| not_a_reply(answer, NAME, &error))?;
    let has_failed = wire
        .status
        .as_ref()
        .is_some_and(|status| status == "failed");
    let is_error = |error: &RawValue| error.get() != "null";
    if has_failed || (wire.output.is_none() && wire.error.is_some_and(is_error)) {
        return Err(failure::error(answer));
    }
    read(wire, &body, asked, answer.header(failure::REQUEST_ID))
}

/// Reads a response object.
pub(super) fn response(
    body: &RawJson,
    asked: Asked<'_>,
    request_id: Option<String>,
) -> Result<Reply, Error> {
    let wire: wire::Response<'_> = serde_json::from_str(body.as_str())
        .map_err(|error| Error::protocol(format!("the reply is {}", place(&error))))?;
    read(wire, body, asked, request_id)
}

fn read(
    wire: wire::Response<'_>,
    body: &RawJson,
    asked: Asked<'_>,
    request_id: Option<String>,
) -> Result<Reply, Error> {
    let output = match wire.output {
        Some(list) if list.get() != "null" => content::output(body, list, asked)?,
        _ if wire.status.is_some() => Output::default(),
        _ => return Err(Error::protocol("the reply has no `output`")),
    };
    let stop_reason = stop_reason(&wire, &output);
    let refusal = (stop_reason == StopReason::Refusal).then(|| Refusal {
        category: wire.incomplete_details.and_then(|details| details.reason),
        explanation: output.refusal,
    });
    let native = Native {
        api: API,
        model: asked.model.to_owned(),
        frame: None,
        blocks: output.blocks.native,
    };
    let usage_of = |raw| usage(RawJson::part_of(body.bytes(), raw));
    Ok(Reply::from_parts(ReplyParts {
        message: Message::with_native(Role::Assistant, output.blocks.content, Some(native)),
        id: wire.id.unwrap_or_default(),
        model: wire.model.unwrap_or_default(),
        stop_reason,
        refusal,
        usage: wire.usage.map(usage_of).unwrap_or_default(),
        request_id,
        container: None,
        raw: body.clone(),
    }))
}

/// The API has no word for calls: where there are some, they are to be run.
fn stop_reason(wire: &wire::Response<'_>, output: &Output) -> StopReason {
    let status = wire.status.as_ref().and_then(Value::as_str);
    let mut calls = output.blocks.content.iter();
    let has_calls = calls.any(|block| block.as_tool_call().is_some());
    match status {
        Some("incomplete") => {
            let details = wire.incomplete_details.as_ref();
            match details.and_then(|details| details.reason.as_deref()) {
                Some("max_output_tokens") => StopReason::MaxTokens,
                Some("content_filter") => StopReason::Refusal,
                Some(other) => StopReason::Other(other.to_owned()),
                None => StopReason::Other("incomplete".to_owned()),
            }
        }
        Some("completed" | "complete") | None if output.is_cut => StopReason::MaxTokens,
        Some("completed" | "complete") | None if has_calls => StopReason::ToolUse,
        Some("completed" | "complete") | None if output.refusal.is_some() => StopReason::Refusal,
        Some("completed" | "complete") | None => StopReason::EndTurn,
        Some(other) => StopReason::Other(other.to_owned()),
    }
}

/// A field of another shape counts 0, and is no reason to lose the others.
pub(super) fn usage(raw: RawJson) -> Usage {
    let fields = raw.to_value();
    let tokens = |pointer: &str| {
        let field = fields.pointer(pointer).and_then(Value::as_u64);
        field.unwrap_or_default()
    };
    Usage {
        input: tokens("/input_tokens"),
        cache_read: tokens("/input_tokens_details/cached_tokens"),
        cache_write: tokens("/input_tokens_details/cache_write_tokens"),
        output: tokens("/output_tokens"),
        reasoning: tokens("/output_tokens_details/reasoning_tokens"),
        raw: Some(raw),
    }
}
