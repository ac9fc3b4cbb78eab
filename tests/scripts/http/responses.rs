//! [`ResponseObjects`]: answers as OpenAI's Responses API has them.

use std::collections::BTreeMap;

use haft::serde_json::{Value, json};
use haft::{Content, Reply, StopReason, StreamEvent};

use super::writer::{Writer, input, named};
use crate::replies::halves;

/// Writes an answer of the Responses API.
#[derive(Debug)]
pub(super) struct ResponseObjects {
    id: usize,
    /// The call whose input is cut off.
    cut: Option<usize>,
    /// The items that were told whole.
    items: BTreeMap<usize, Value>,
    /// How many events were told.
    told: usize,
}

impl ResponseObjects {
    pub(super) const fn new(id: usize, cut: Option<usize>) -> Self {
        Self {
            id,
            cut,
            items: BTreeMap::new(),
            told: 0,
        }
    }

    fn tell(&mut self, mut event: Value, frames: &mut String) {
        event["sequence_number"] = self.told.into();
        self.told += 1;
        frames.push_str(&named(&event));
    }

    /// The begin of an item. Reasoning comes at once, but for what is encrypted.
    fn start(&mut self, index: usize, content: &Content, frames: &mut String) {
        let mut item = self.item(index, content);
        match item["type"].as_str() {
            Some("message") => item["content"] = json!([]),
            Some("function_call") => item["arguments"] = "".into(),
            Some("reasoning") => {
                item["summary"] = json!([]);
                item["encrypted_content"] = Value::Null;
            }
            _ => {}
        }
        item["status"] = "in_progress".into();
        let id = item["id"].clone();
        let added =
            json!({"type": "response.output_item.added", "output_index": index, "item": item});
        self.tell(added, frames);
        if let Content::Thinking(thinking) = content {
            for part in halves(&thinking.text) {
                let event = json!({
                    "type": "response.reasoning_summary_text.delta", "item_id": id, "output_index": index,
                    "summary_index": 0, "delta": part,
                });
                self.tell(event, frames);
            }
        }
    }

    /// The end of an item, which has all of it once more.
    fn stop(&mut self, index: usize, content: &Content, frames: &mut String) {
        let item = self.item(index, content);
        let whole = match content {
            Content::Text(text) => Some(("response.output_text.done", "text", text.text.as_str())),
            Content::ToolCall(call) if self.cut != Some(index) => {
                let input = call.input().as_str();
                Some(("response.function_call_arguments.done", "arguments", input))
            }
            _ => None,
        };
        if let Some((kind, key, text)) = whole {
            let mut event = json!({"type": kind, "output_index": index, "content_index": 0});
            event[key] = text.into();
            self.tell(event, frames);
        }
        self.items.insert(index, item.clone());
        let done =
            json!({"type": "response.output_item.done", "output_index": index, "item": item});
        self.tell(done, frames);
    }

    fn item(&self, index: usize, content: &Content) -> Value {
        let id = format!("item_{}_{index}", self.id);
        let is_cut = self.cut == Some(index);
        let status = if is_cut { "incomplete" } else { "completed" };
        match content {
            Content::Text(text) => json!({
                "type": "message", "id": id, "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text.text, "annotations": []}],
            }),
            Content::Thinking(thinking) => json!({
                "type": "reasoning", "id": id,
                "summary": [{"type": "summary_text", "text": thinking.text}],
                "encrypted_content": encrypted(&thinking.text),
            }),
            Content::ToolCall(call) => json!({
                "type": "function_call", "id": id, "call_id": call.id(), "name": call.name(),
                "arguments": input(call, is_cut), "status": status,
            }),
            Content::Other(other) => other.json.to_value(),
            _ => Value::Null,
        }
    }

    fn response(&self, output: &Value, reply: Option<&Reply>) -> Value {
        let (status, details) = match reply.map(Reply::stop_reason) {
            None => ("in_progress", None),
            Some(StopReason::MaxTokens) => ("incomplete", Some("max_output_tokens")),
            Some(StopReason::Refusal) => ("incomplete", Some("content_filter")),
            Some(StopReason::Other(other)) => ("incomplete", Some(other.as_str())),
            Some(_) => ("completed", None),
        };
        let usage = reply.map(|reply| {
            let usage = reply.usage();
            json!({"input_tokens": usage.input, "output_tokens": usage.output})
        });
        json!({
            "id": self.id.to_string(), "object": "response", "model": "any", "status": status, "error": null,
            "incomplete_details": details.map(|reason| json!({"reason": reason})), "output": output, "usage": usage,
        })
    }

    fn end(&mut self, reply: &Reply, frames: &mut String) {
        // Some servers leave out here what they have told before.
        let output = match self.id % 4 {
            0 => json!([]),
            1 => Value::Null,
            _ => Value::from_iter(self.items.values().cloned()),
        };
        let response = self.response(&output, Some(reply));
        let status = response["status"].as_str().unwrap_or_default();
        let event = json!({"type": format!("response.{status}"), "response": response});
        self.tell(event, frames);
    }
}

impl Writer for ResponseObjects {
    fn write(&mut self, event: &StreamEvent, frames: &mut String) {
        if self.told == 0 {
            let begun = self.response(&json!([]), None);
            self.tell(
                json!({"type": "response.created", "response": begun}),
                frames,
            );
        }
        match event {
            StreamEvent::BlockStart { index, content } => self.start(*index, content, frames),
            StreamEvent::TextDelta { index, text } => {
                let event = json!({
                    "type": "response.output_text.delta", "output_index": index, "content_index": 0, "delta": text,
                });
                self.tell(event, frames);
            }
            StreamEvent::InputDelta { index, json } => {
                let event = json!({
                    "type": "response.function_call_arguments.delta", "output_index": index, "delta": json,
                });
                self.tell(event, frames);
            }
            StreamEvent::BlockStop(block) => self.stop(block.index(), block.content(), frames),
            StreamEvent::Reply(reply) => self.end(reply, frames),
            _ => {}
        }
    }

    fn body(&self, blocks: &[Content], reply: &Reply) -> Value {
        let items = blocks.iter().enumerate();
        let items = items.map(|(index, block)| self.item(index, block));
        self.response(&Value::from_iter(items), Some(reply))
    }

    fn error(&self) -> Value {
        let error = json!({"type": "server_error", "code": "server_error", "message": "the script cuts it"});
        json!({"error": error})
    }

    fn error_frame(&self) -> String {
        let mut error = self.error();
        error["type"] = "error".into();
        named(&error)
    }

    fn pulse(&self) -> &'static str {
        ": still there\n\n"
    }
}

fn encrypted(thought: &str) -> String {
    format!("encrypted: {thought}")
}
