//! A reply as the Responses API writes it.

use haft::serde_json::{Value, json};
use haft::{Content, Reply, StopReason, StreamEvent, Usage};

use super::dialect::{self, merged, named_frame};

/// Writes one reply.
#[derive(Debug)]
pub(super) struct Writer {
    model: String,
    has_begun: bool,
    sequence_number: u64,
}

impl Writer {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            has_begun: false,
            sequence_number: 0,
        }
    }

    fn frame(&mut self, kind: &str, fields: Value) -> String {
        let head = json!({"type": kind, "sequence_number": self.sequence_number});
        self.sequence_number += 1;
        named_frame(&merged(head, fields))
    }

    fn begin(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        let response = json!({
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": self.model,
            "status": "in_progress",
            "error": null,
            "incomplete_details": null,
            "output": [],
            "usage": null,
        });
        let created = self.frame("response.created", json!({"response": response.clone()}));
        created + &self.frame("response.in_progress", json!({"response": response}))
    }

    fn start(&mut self, index: usize, content: &Content) -> String {
        let whole = item(index, content, false);
        let item = match content {
            Content::ToolCall(_) => begun(whole, json!({"arguments": ""})),
            Content::Thinking(_) => begun(whole, json!({"summary": []})),
            Content::Text(_) => begun(whole, json!({"content": []})),
            _ => whole,
        };
        let added = json!({"output_index": index, "item": item});
        let added = self.frame("response.output_item.added", added);
        let part = match content {
            Content::Text(_) => {
                let kind = "response.content_part.added";
                let part = json!({"content_index": 0, "part": output_text("")});
                self.part(kind, index, part)
            }
            Content::Thinking(_) => {
                let kind = "response.reasoning_summary_part.added";
                let part = json!({"type": "summary_text", "text": ""});
                self.part(kind, index, json!({"summary_index": 0, "part": part}))
            }
            _ => String::new(),
        };
        added + &part
    }

    fn part(&mut self, kind: &str, index: usize, fields: Value) -> String {
        let place = json!({"output_index": index, "item_id": id(index)});
        self.frame(kind, merged(place, fields))
    }

    fn stop(&mut self, index: usize, content: &Content) -> String {
        let parts = match content {
            Content::Text(text) => {
                let done = json!({"content_index": 0, "text": text.text});
                let part = json!({"content_index": 0, "part": output_text(&text.text)});
                self.part("response.output_text.done", index, done)
                    + &self.part("response.content_part.done", index, part)
            }
            Content::Thinking(thinking) => {
                let text = &thinking.text;
                let done = json!({"summary_index": 0, "text": text});
                let part = json!({"type": "summary_text", "text": text});
                let part = json!({"summary_index": 0, "part": part});
                self.part("response.reasoning_summary_text.done", index, done)
                    + &self.part("response.reasoning_summary_part.done", index, part)
            }
            Content::ToolCall(call) => {
                let done = json!({"arguments": call.input().as_str()});
                self.part("response.function_call_arguments.done", index, done)
            }
            _ => String::new(),
        };
        let done = json!({"output_index": index, "item": item(index, content, false)});
        parts + &self.frame("response.output_item.done", done)
    }

    fn end(&mut self, reply: &Reply) -> String {
        let response = dialect::Writer::body(self, reply);
        let kind = match response.get("status").and_then(Value::as_str) {
            Some("completed") => "response.completed",
            _ => "response.incomplete",
        };
        self.frame(kind, json!({"response": response}))
    }
}

impl dialect::Writer for Writer {
    fn frames(&mut self, event: &StreamEvent) -> String {
        let begin = self.begin();
        let frames = match event {
            StreamEvent::BlockStart { index, content } => self.start(*index, content),
            StreamEvent::TextDelta { index, text } => {
                let delta = json!({"content_index": 0, "delta": text});
                self.part("response.output_text.delta", *index, delta)
            }
            StreamEvent::ThinkingDelta { index, text } => {
                let delta = json!({"summary_index": 0, "delta": text});
                self.part("response.reasoning_summary_text.delta", *index, delta)
            }
            StreamEvent::InputDelta { index, json } => {
                let kind = "response.function_call_arguments.delta";
                self.part(kind, *index, json!({"delta": json}))
            }
            StreamEvent::BlockStop(block) => self.stop(block.index(), block.content()),
            StreamEvent::Reply(reply) => self.end(reply),
            // Of the tokens it tells at the end.
            _ => String::new(),
        };
        begin + &frames
    }

    fn body(&mut self, reply: &Reply) -> Value {
        let reason = match reply.stop_reason() {
            StopReason::EndTurn | StopReason::ToolUse => None,
            StopReason::MaxTokens => Some("max_output_tokens"),
            StopReason::Refusal => Some("content_filter"),
            other => Some(other.as_str()),
        };
        let status = reason.map_or("completed", |_| "incomplete");
        let last = reply.content().len().checked_sub(1);
        let is_cut = |at| reason == Some("max_output_tokens") && last == Some(at);
        let blocks = reply.content().iter().enumerate();
        let output: Vec<_> = blocks
            .map(|(at, block)| item(at, block, is_cut(at)))
            .collect();
        json!({
            "id": reply.id(),
            "object": "response",
            "created_at": 1,
            "model": self.model,
            "status": status,
            "error": null,
            "incomplete_details": reason.map(|reason| json!({"reason": reason})),
            "output": output,
            "usage": usage(reply.usage()),
        })
    }
}

fn id(index: usize) -> String {
    format!("item_{index}")
}

/// A block as an item; the last one of a reply that was cut is not complete.
fn item(index: usize, content: &Content, is_cut: bool) -> Value {
    let status = if is_cut { "incomplete" } else { "completed" };
    match content {
        Content::Text(text) => json!({
            "type": "message",
            "id": id(index),
            "role": "assistant",
            "status": status,
            "content": [output_text(&text.text)],
        }),
        Content::Thinking(thinking) => json!({
            "type": "reasoning",
            "id": id(index),
            "summary": [{"type": "summary_text", "text": thinking.text}],
            "encrypted_content": "c2VjcmV0",
        }),
        Content::ToolCall(call) => json!({
            "type": "function_call",
            "id": id(index),
            "call_id": call.id(),
            "name": call.wire_name(),
            "arguments": call.input().as_str(),
            "status": status,
        }),
        Content::Other(other) => other.json.to_value(),
        other => crate::fail(format_args!("no item of this API is {other:?}")),
    }
}

/// An item of which nothing is there yet.
fn begun(item: Value, empty: Value) -> Value {
    let has_status = item.get("status").is_some();
    let status = if has_status {
        json!({"status": "in_progress"})
    } else {
        json!({})
    };
    merged(merged(item, empty), status)
}

fn output_text(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn usage(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.cache_write,
        },
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    })
}
