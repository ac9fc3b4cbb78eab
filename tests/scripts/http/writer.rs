//! [`Writer`]: an answer in the form of an API.

use haft::serde_json::Value;
use haft::{Content, Reply, StreamEvent, ToolCall};

use crate::replies::halves;

/// Writes an answer as an API has it.
pub(super) trait Writer {
    /// What a stream has for an event: frames, as they are sent.
    fn write(&mut self, event: &StreamEvent, frames: &mut String);

    /// A reply that comes whole; its blocks are as they were said, also those that are set aside.
    fn body(&self, blocks: &[Content], reply: &Reply) -> Value;

    /// The body of an error.
    fn error(&self) -> Value;

    /// The frame of an error in a stream.
    fn error_frame(&self) -> String;

    /// What a server sends so that the connection lives.
    fn pulse(&self) -> &'static str;
}

/// A frame with its name, which its data has for its type.
pub(super) fn named(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

/// The input of a call, as far as it comes.
pub(super) fn input(call: &ToolCall, is_cut: bool) -> &str {
    let input = call.input().as_str();
    if is_cut { halves(input)[0] } else { input }
}
