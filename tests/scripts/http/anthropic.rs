//! [`Messages`]: answers as Anthropic's API has them.

use haft::serde_json::{Value, json};
use haft::{Content, Reply, StopReason, StreamEvent, Usage};

use super::writer::{Writer, named};
use crate::replies::halves;

/// Writes an answer of Anthropic's API.
#[derive(Debug)]
pub(super) struct Messages {
    id: usize,
    has_begun: bool,
}

impl Messages {
    pub(super) const fn new(id: usize) -> Self {
        Self {
            id,
            has_begun: false,
        }
    }

    fn begin(&self, spent: &Usage) -> String {
        named(&json!({"type": "message_start", "message": {
            "id": self.id.to_string(), "type": "message", "role": "assistant", "model": "any", "content": [],
            "stop_reason": null, "usage": usage(spent),
        }}))
    }
}

impl Writer for Messages {
    fn write(&mut self, event: &StreamEvent, frames: &mut String) {
        if !std::mem::replace(&mut self.has_begun, true) {
            let usage = match event {
                StreamEvent::Usage(usage) => usage.clone(),
                _ => Usage::default(),
            };
            frames.push_str(&self.begin(&usage));
        }
        let told = match event {
            StreamEvent::BlockStart { index, content } => start(*index, content),
            StreamEvent::TextDelta { index, text } => {
                vec![delta(*index, &json!({"type": "text_delta", "text": text}))]
            }
            StreamEvent::InputDelta { index, json } => {
                let part = json!({"type": "input_json_delta", "partial_json": json});
                vec![delta(*index, &part)]
            }
            StreamEvent::BlockStop(block) => {
                vec![json!({"type": "content_block_stop", "index": block.index()})]
            }
            StreamEvent::Restart => return frames.push_str(&self.begin(&Usage::default())),
            StreamEvent::Usage(told) => {
                vec![json!({"type": "message_delta", "delta": {}, "usage": usage(told)})]
            }
            StreamEvent::Reply(reply) => {
                let ended =
                    json!({"stop_reason": reason(reply.stop_reason()), "stop_sequence": null});
                let usage = usage(reply.usage());
                vec![
                    json!({"type": "message_delta", "delta": ended, "usage": usage}),
                    json!({"type": "message_stop"}),
                ]
            }
            _ => Vec::new(),
        };
        frames.extend(told.iter().map(named));
    }

    fn body(&self, blocks: &[Content], reply: &Reply) -> Value {
        let content: Vec<_> = blocks.iter().map(block).collect();
        json!({
            "id": reply.id(), "type": "message", "role": "assistant", "model": "any", "content": content,
            "stop_reason": reason(reply.stop_reason()), "usage": usage(reply.usage()),
        })
    }

    fn error(&self) -> Value {
        json!({"type": "error", "error": {"type": "api_error", "message": "the script cuts it"}})
    }

    fn error_frame(&self) -> String {
        named(&self.error())
    }

    fn pulse(&self) -> &'static str {
        "event: ping\ndata: {\"type\": \"ping\"}\n\n"
    }
}

fn usage(usage: &Usage) -> Value {
    json!({"input_tokens": usage.input, "output_tokens": usage.output})
}

fn delta(index: usize, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

/// The begin of a block. Reasoning comes at once, and what only the API knows comes whole.
fn start(index: usize, content: &Content) -> Vec<Value> {
    let (begun, thought) = match content {
        Content::Thinking(thinking) => {
            let begun = json!({"type": "thinking", "thinking": "", "signature": ""});
            (begun, Some(thinking.text.as_str()))
        }
        other => (block(other), None),
    };
    let mut events =
        vec![json!({"type": "content_block_start", "index": index, "content_block": begun})];
    for text in thought.into_iter().flat_map(halves) {
        events.push(delta(
            index,
            &json!({"type": "thinking_delta", "thinking": text}),
        ));
    }
    if let Some(text) = thought {
        let signed = json!({"type": "signature_delta", "signature": signature(text)});
        events.push(delta(index, &signed));
    }
    events
}

fn block(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"type": "text", "text": text.text}),
        Content::Thinking(thinking) => {
            let text = thinking.text.as_str();
            json!({"type": "thinking", "thinking": text, "signature": signature(text)})
        }
        Content::ToolCall(call) => {
            let input = call.input().to_value();
            json!({"type": "tool_use", "id": call.id(), "name": call.name(), "input": input})
        }
        Content::Other(other) => other.json.to_value(),
        _ => Value::Null,
    }
}

fn signature(thought: &str) -> String {
    format!("signed: {thought}")
}

fn reason(reason: &StopReason) -> &str {
    match reason {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::StopSequence => "stop_sequence",
        StopReason::PauseTurn => "pause_turn",
        StopReason::Compaction => "compaction",
        StopReason::Refusal => "refusal",
        StopReason::ContextFull => "model_context_window_exceeded",
        StopReason::Other(other) => other,
        _ => "new",
    }
}
