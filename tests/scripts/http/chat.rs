//! [`Completions`]: answers as the chat completions API has them, and as some servers do that speak it loosely.

use std::collections::BTreeMap;

use haft::serde_json::{self, Value, json};
use haft::{Content, Reply, StopReason, StreamEvent, ToolCall};

use super::writer::{Writer, input};
use crate::replies::halves;

/// What a model says that refuses.
const REFUSAL: &str = "I must not.";

/// Writes an answer of the chat completions API.
#[derive(Debug)]
pub(super) struct Completions {
    id: usize,
    /// The call whose input is cut off.
    cut: Option<usize>,
    has_begun: bool,
    /// The calls that have begun, by their blocks' places, and their inputs as far as they have come.
    calls: BTreeMap<usize, (ToolCall, Vec<String>)>,
}

impl Completions {
    pub(super) const fn new(id: usize, cut: Option<usize>) -> Self {
        Self {
            id,
            cut,
            has_begun: false,
            calls: BTreeMap::new(),
        }
    }

    /// Whether the server sends each call in one piece, and without saying which it is, as some do.
    const fn is_loose(&self) -> bool {
        self.id % 4 == 3
    }

    /// Whether the server says with each part of a call again which it is, as some do.
    const fn repeats(&self) -> bool {
        self.id % 4 == 1
    }

    /// Whether the model refuses in words of its own, and not the server.
    fn refuses(&self, reply: &Reply) -> bool {
        let has_calls = reply.tool_calls().next().is_some();
        *reply.stop_reason() == StopReason::Refusal && !has_calls && self.id.is_multiple_of(2)
    }

    fn chunk(&self, choices: &Value) -> Value {
        json!({"id": self.id.to_string(), "object": "chat.completion.chunk", "model": "any", "choices": choices})
    }

    fn tell(&self, delta: &Value, finish_reason: Option<&str>, frames: &mut String) {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish_reason});
        frames.push_str(&frame(&self.chunk(&json!([choice]))));
    }

    fn start(&mut self, index: usize, content: &Content, frames: &mut String) {
        match content {
            Content::Thinking(thinking) => {
                for part in halves(&thinking.text) {
                    self.tell(&json!({"reasoning_content": part}), None, frames);
                }
            }
            Content::ToolCall(call) => {
                let number = self.calls.len();
                self.calls.insert(index, (call.clone(), Vec::new()));
                if !self.is_loose() {
                    let function = json!({"name": call.name(), "arguments": ""});
                    let begun = json!({"index": number, "id": call.id(), "type": "function", "function": function});
                    self.tell(&json!({"tool_calls": [begun]}), None, frames);
                }
            }
            _ => {}
        }
    }

    fn add_input(&mut self, index: usize, part: &str, frames: &mut String) {
        let number = self.calls.range(..index).count();
        let (is_loose, repeats) = (self.is_loose(), self.repeats());
        let Some((call, parts)) = self.calls.get_mut(&index) else {
            return;
        };
        parts.push(part.to_owned());
        let call = if repeats {
            let function = json!({"name": call.name(), "arguments": part});
            json!({"index": number, "id": call.id(), "function": function})
        } else if !is_loose {
            json!({"index": number, "function": {"arguments": part}})
        } else if parts.len() == halves("").len() || self.cut == Some(index) {
            let arguments = arguments(&parts.concat(), number);
            let function = json!({"name": call.name(), "arguments": arguments});
            json!({"id": call.id(), "type": "function", "function": function})
        } else {
            return;
        };
        self.tell(&json!({"tool_calls": [call]}), None, frames);
    }

    fn reason(&self, reply: &Reply) -> String {
        let word = match reply.stop_reason() {
            _ if self.refuses(reply) => "stop",
            StopReason::MaxTokens => "length",
            StopReason::Refusal => "content_filter",
            StopReason::Other(other) => other,
            // Some servers say nothing of calls.
            StopReason::ToolUse if !self.id.is_multiple_of(3) => "tool_calls",
            _ => "stop",
        };
        word.to_owned()
    }
}

impl Writer for Completions {
    fn write(&mut self, event: &StreamEvent, frames: &mut String) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.tell(&json!({"role": "assistant", "content": ""}), None, frames);
        }
        match event {
            StreamEvent::BlockStart { index, content } => self.start(*index, content, frames),
            StreamEvent::TextDelta { text, .. } => {
                self.tell(&json!({"content": text}), None, frames);
            }
            StreamEvent::InputDelta { index, json } => self.add_input(*index, json, frames),
            StreamEvent::Reply(reply) => {
                let reason = self.reason(reply);
                if self.refuses(reply) {
                    self.tell(&json!({"refusal": REFUSAL}), None, frames);
                }
                self.tell(&json!({}), Some(&reason), frames);
                let mut last = self.chunk(&json!([]));
                last["usage"] = usage(reply);
                frames.push_str(&frame(&last));
                frames.push_str("data: [DONE]\n\n");
            }
            _ => {}
        }
    }

    fn body(&self, blocks: &[Content], reply: &Reply) -> Value {
        let mut message = json!({"role": "assistant", "content": null});
        let mut calls = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            match block {
                Content::Text(text) => message["content"] = text.text.as_str().into(),
                Content::Thinking(thinking) => {
                    message["reasoning_content"] = thinking.text.as_str().into();
                }
                Content::ToolCall(call) => {
                    let function = json!({"name": call.name(), "arguments": input(call, self.cut == Some(at))});
                    calls.push(json!({"id": call.id(), "type": "function", "function": function}));
                }
                _ => {}
            }
        }
        if self.refuses(reply) {
            message["refusal"] = REFUSAL.into();
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let reason = self.reason(reply);
        json!({
            "id": self.id.to_string(), "object": "chat.completion", "model": "any", "usage": usage(reply),
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        })
    }

    fn error(&self) -> Value {
        json!({"error": {"type": "server_error", "code": null, "message": "the script cuts it"}})
    }

    fn error_frame(&self) -> String {
        frame(&self.error())
    }

    fn pulse(&self) -> &'static str {
        ": PROCESSING\n\n"
    }
}

fn frame(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn usage(reply: &Reply) -> Value {
    let usage = reply.usage();
    json!({"prompt_tokens": usage.input, "completion_tokens": usage.output})
}

/// Arguments that come in one piece: some servers send the object itself.
fn arguments(text: &str, number: usize) -> Value {
    let object: Option<Value> = serde_json::from_str(text).ok();
    let object = object.filter(|value| value.is_object() && number.is_multiple_of(2));
    object.unwrap_or_else(|| text.into())
}
