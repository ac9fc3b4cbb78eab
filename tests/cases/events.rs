//! Streams event by event, for what no message turns into.

use haft::serde_json::{Value, json};
use haft_tests::message_stream::frames;
use haft_tests::server::ServerReply;

use crate::case::message;

/// The message begins.
pub(crate) fn begin() -> Value {
    let mut message = message(&json!([]), "");
    message["stop_reason"] = Value::Null;
    json!({"type": "message_start", "message": message})
}

/// A block begins.
pub(crate) fn start(index: usize, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

/// A block grows.
pub(crate) fn delta(index: usize, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

/// A text grows.
pub(crate) fn words(index: usize, text: &str) -> Value {
    delta(index, &json!({"type": "text_delta", "text": text}))
}

/// An input grows.
pub(crate) fn input(index: usize, part: &str) -> Value {
    delta(
        index,
        &json!({"type": "input_json_delta", "partial_json": part}),
    )
}

/// A block ends.
pub(crate) fn stop(index: usize) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

/// The message is told why it stops.
pub(crate) fn last(stop_reason: &str) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": stop_reason}, "usage": {"output_tokens": 9}})
}

/// All is said.
pub(crate) fn over() -> Value {
    json!({"type": "message_stop"})
}

/// The server gives up.
pub(crate) fn overloaded() -> Value {
    json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
}

/// A stream that ends behind these events.
pub(crate) fn stream(events: &[Value]) -> ServerReply {
    ServerReply::sse(frames(events))
}

/// A whole message with these events of its blocks.
pub(crate) fn whole(blocks: &[Value], stop_reason: &str) -> ServerReply {
    let (before, behind) = ([begin()], [last(stop_reason), over()]);
    stream(&[&before, blocks, &behind].concat())
}

/// A block whose input comes in these parts.
pub(crate) fn parts(index: usize, block: &Value, parts: &[&str]) -> Vec<Value> {
    let parts = parts.iter().map(|part| input(index, part));
    let begun = [start(index, block)].into_iter();
    begun.chain(parts).chain([stop(index)]).collect()
}
