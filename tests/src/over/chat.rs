//! A reply as the chat completions API writes it.

use std::collections::HashMap;

use haft::serde_json::{Map, Value, json};
use haft::{Content, Reply, StopReason, StreamEvent, ToolCall, Usage};

use super::dialect;

/// Writes one reply.
#[derive(Debug)]
pub(super) struct Writer {
    model: String,
    has_begun: bool,
    /// By the index of a block: which call of the message it is.
    calls: HashMap<usize, usize>,
}

impl Writer {
    pub(super) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            has_begun: false,
            calls: HashMap::new(),
        }
    }

    fn chunk(&self, id: &str, choices: &Value, usage: &Value) -> String {
        let chunk = json!({
            "id": id,
            "object": "chat.completion.chunk",
            "created": 1,
            "model": self.model,
            "choices": choices,
            "usage": usage,
        });
        format!("data: {chunk}\n\n")
    }

    fn delta(&self, delta: &Value) -> String {
        let choices = json!([{"index": 0, "delta": delta, "finish_reason": null}]);
        self.chunk("chatcmpl-1", &choices, &Value::Null)
    }

    fn begin(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        self.delta(&json!({"role": "assistant", "content": ""}))
    }

    fn start(&mut self, index: usize, content: &Content) -> String {
        let Some(call) = content.as_tool_call() else {
            return String::new();
        };
        let slot = self.calls.len();
        self.calls.insert(index, slot);
        let mut call = function_call(call, "");
        call.insert("index".to_owned(), slot.into());
        self.delta(&json!({"tool_calls": [call]}))
    }

    fn end(&self, reply: &Reply) -> String {
        let id = reply.id();
        let finish = json!([{"index": 0, "delta": {}, "finish_reason": finish_reason(reply)}]);
        let finish = self.chunk(id, &finish, &Value::Null);
        let usage = self.chunk(id, &json!([]), &usage(reply.usage()));
        format!("{finish}{usage}data: [DONE]\n\n")
    }
}

impl dialect::Writer for Writer {
    fn frames(&mut self, event: &StreamEvent) -> String {
        let begin = self.begin();
        let frames = match event {
            StreamEvent::BlockStart { index, content } => self.start(*index, content),
            StreamEvent::TextDelta { text, .. } => self.delta(&json!({"content": text})),
            StreamEvent::ThinkingDelta { text, .. } => {
                self.delta(&json!({"reasoning_content": text}))
            }
            StreamEvent::InputDelta { index, json } => {
                let slot = self.calls.get(index);
                let call = json!({"index": slot, "function": {"arguments": json}});
                self.delta(&json!({"tool_calls": [call]}))
            }
            StreamEvent::Reply(reply) => self.end(reply),
            // It is not told when a block ends, and of the tokens only at the end.
            _ => String::new(),
        };
        begin + &frames
    }

    fn body(&mut self, reply: &Reply) -> Value {
        let text = reply.text();
        let has_text = reply.content().iter().any(|it| it.as_text().is_some());
        let thoughts: String = reply.content().iter().filter_map(thought).collect();
        let calls = reply.tool_calls();
        let calls: Vec<_> = calls
            .map(|call| function_call(call, call.input().as_str()))
            .collect();
        let message = json!({
            "role": "assistant",
            "content": has_text.then_some(text),
            "reasoning_content": (!thoughts.is_empty()).then_some(thoughts),
            "tool_calls": (!calls.is_empty()).then_some(calls),
        });
        let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason(reply)});
        json!({
            "id": reply.id(),
            "object": "chat.completion",
            "created": 1,
            "model": self.model,
            "choices": [choice],
            "usage": usage(reply.usage()),
        })
    }
}

fn function_call(call: &ToolCall, arguments: &str) -> Map<String, Value> {
    let function = json!({"name": call.wire_name(), "arguments": arguments});
    let fields = [
        ("id", call.id().into()),
        ("type", "function".into()),
        ("function", function),
    ];
    let fields = fields.map(|(key, value)| (key.to_owned(), value));
    fields.into_iter().collect()
}

fn thought(content: &Content) -> Option<&str> {
    match content {
        Content::Thinking(thinking) => Some(&thinking.text),
        _ => None,
    }
}

fn finish_reason(reply: &Reply) -> &str {
    match reply.stop_reason() {
        StopReason::EndTurn => "stop",
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens => "length",
        StopReason::Refusal => "content_filter",
        other => other.as_str(),
    }
}

fn usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {
            "cached_tokens": usage.cache_read,
            "cache_write_tokens": usage.cache_write,
        },
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    })
}
