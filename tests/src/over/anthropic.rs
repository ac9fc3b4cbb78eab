//! A reply as Anthropic's API writes it.

use std::collections::HashMap;

use haft::serde_json::{Value, json};
use haft::{Content, Reply, StreamEvent, Usage};

use super::dialect::{self, merged, named_frame};

/// Stands where another model takes over.
const FALLBACK: &str = "fallback";

/// Writes one reply.
#[derive(Debug)]
pub(super) struct Writer {
    model: String,
    has_begun: bool,
    /// How many blocks the API has had so far.
    count: usize,
    /// The indexes that it has for blocks: more are there than the script knows.
    places: HashMap<usize, usize>,
}

impl Writer {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            has_begun: false,
            count: 0,
            places: HashMap::new(),
        }
    }

    fn begin(&mut self, usage: &Usage) -> String {
        self.has_begun = true;
        let message = json!({
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": self::usage(usage),
        });
        named_frame(&json!({"type": "message_start", "message": message}))
    }

    fn start(&mut self, index: usize, content: &Content) -> String {
        self.places.insert(index, self.count);
        let begun = match content {
            Content::Text(_) => json!({"type": "text", "text": ""}),
            Content::Thinking(_) => json!({"type": "thinking", "thinking": "", "signature": ""}),
            Content::ToolCall(call) => {
                let (id, name) = (call.id(), call.wire_name());
                json!({"type": "tool_use", "id": id, "name": name, "input": {}})
            }
            other => block(other),
        };
        self.begin_block(&begun)
    }

    fn begin_block(&mut self, block: &Value) -> String {
        let at = self.count;
        self.count += 1;
        named_frame(&json!({"type": "content_block_start", "index": at, "content_block": block}))
    }

    fn delta(&self, index: usize, delta: &Value) -> String {
        let at = self.places.get(&index);
        named_frame(&json!({"type": "content_block_delta", "index": at, "delta": delta}))
    }

    fn stop(&self, index: usize, content: &Content) -> String {
        let signature = match content {
            Content::Thinking(_) => {
                let delta = json!({"type": "signature_delta", "signature": "c2ln"});
                self.delta(index, &delta)
            }
            _ => String::new(),
        };
        let at = self.places.get(&index);
        signature + &named_frame(&json!({"type": "content_block_stop", "index": at}))
    }

    fn set_aside(&mut self) -> String {
        let block = self.begin_block(&fallback(&self.model));
        let at = self.count - 1;
        block + &named_frame(&json!({"type": "content_block_stop", "index": at}))
    }

    fn end(&self, reply: &Reply) -> String {
        let delta = with_details(json!({}), reply);
        let usage = usage(reply.usage());
        let ended = json!({"type": "message_delta", "delta": delta, "usage": usage});
        named_frame(&ended) + &named_frame(&json!({"type": "message_stop"}))
    }
}

impl dialect::Writer for Writer {
    fn frames(&mut self, event: &StreamEvent) -> String {
        let begin = match event {
            StreamEvent::Restart => {
                (self.count, self.places) = (0, HashMap::new());
                return self.begin(&Usage::default());
            }
            StreamEvent::Usage(usage) if !self.has_begun => return self.begin(usage),
            _ if !self.has_begun => self.begin(&Usage::default()),
            _ => String::new(),
        };
        let frames = match event {
            StreamEvent::BlockStart { index, content } => self.start(*index, content),
            StreamEvent::TextDelta { index, text } => {
                self.delta(*index, &json!({"type": "text_delta", "text": text}))
            }
            StreamEvent::ThinkingDelta { index, text } => {
                self.delta(*index, &json!({"type": "thinking_delta", "thinking": text}))
            }
            StreamEvent::InputDelta { index, json } => {
                let delta = json!({"type": "input_json_delta", "partial_json": json});
                self.delta(*index, &delta)
            }
            StreamEvent::BlockStop(block) => self.stop(block.index(), block.content()),
            StreamEvent::SetAside => self.set_aside(),
            StreamEvent::Reply(reply) => self.end(reply),
            _ => String::new(),
        };
        begin + &frames
    }

    fn body(&mut self, reply: &Reply) -> Value {
        let mut content: Vec<_> = reply.content().iter().map(block).collect();
        let set_aside = reply.content().iter().rposition(is_set_aside);
        if let Some(last) = set_aside {
            content.insert(last + 1, fallback(&self.model));
        }
        with_details(
            json!({
                "id": reply.id(),
                "type": "message",
                "role": "assistant",
                "model": self.model,
                "content": content,
                "usage": usage(reply.usage()),
            }),
            reply,
        )
    }
}

/// These, and how a reply ended.
fn with_details(fields: Value, reply: &Reply) -> Value {
    let expires_at = "2027-01-01T00:00:00Z";
    let container = reply.container();
    let container = container.map(|id| json!({"id": id, "expires_at": expires_at}));
    let details = json!({
        "stop_reason": reply.stop_reason().as_str(),
        "stop_sequence": null,
        "container": container,
    });
    merged(fields, details)
}

/// A call in front of a fallback, as a scripted reply has it.
fn is_set_aside(content: &Content) -> bool {
    matches!(content, Content::Other(other) if other.kind == "tool_use")
}

fn fallback(model: &str) -> Value {
    json!({"type": FALLBACK, "from": {"model": model}, "to": {"model": model}})
}

fn block(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"type": "text", "text": text.text}),
        Content::Thinking(thinking) => {
            json!({"type": "thinking", "thinking": thinking.text, "signature": "c2ln"})
        }
        Content::ToolCall(call) => json!({
            "type": "tool_use",
            "id": call.id(),
            "name": call.wire_name(),
            "input": call.input().to_value(),
        }),
        Content::Other(other) if is_set_aside(content) => {
            let call = other.json.to_value();
            json!({"type": "tool_use", "id": call.get("id"), "name": call.get("name"), "input": {}})
        }
        Content::Other(other) => other.json.to_value(),
        other => crate::fail(format_args!("no block of this API is {other:?}")),
    }
}

fn usage(usage: &Usage) -> Value {
    let cached = usage.cache_read + usage.cache_write;
    json!({
        "input_tokens": usage.input.saturating_sub(cached),
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
    })
}
