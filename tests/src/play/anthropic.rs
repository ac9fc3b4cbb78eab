//! The Messages API in a play.
#![allow(
    clippy::indexing_slicing,
    reason = "what a JSON value does not have is null"
)]

use std::time::Duration;

use haft::anthropic::Anthropic;
use haft::serde_json::{self, Map, Value, json};
use haft::{Error, Provider};

use super::speaks::Speaks;
use super::tools::Function;
use crate::equality::{Difference, equal};
use crate::message_stream::{events, frames};
use crate::recording::{Exchange, Payload, RecordedRequest};
use crate::server::ServerReply;

/// Long enough that no recorded request is streamed because of what it could take.
const PLAIN: Duration = Duration::from_secs(24 * 3600);

/// The Messages API.
pub(super) struct Messages;

impl Speaks for Messages {
    fn api(&self) -> haft::Api {
        haft::Api::ANTHROPIC_MESSAGES
    }

    fn path(&self) -> &'static str {
        ""
    }

    /// With the version of the API that was recorded.
    fn provider(
        &self,
        base_url: &str,
        _: &str,
        recorded: Option<&RecordedRequest>,
        max_retries: usize,
    ) -> Result<Box<dyn Provider>, Error> {
        let builder = Anthropic::builder()
            .api_key("none")
            .base_url(base_url)
            .timeout(PLAIN)
            .max_retries(max_retries);
        let version = recorded.and_then(|request| request.headers.get("anthropic-version"));
        let builder = match version {
            Some(version) => builder.api_version(version),
            None => builder,
        };
        Ok(Box::new(builder.build()?))
    }

    fn functions(&self, body: &Value) -> Vec<Function> {
        let tools = body["tools"].as_array().into_iter().flatten();
        let tools = tools.filter_map(Value::as_object);
        tools
            .filter_map(|tool| Function::read(tool, "input_schema"))
            .collect()
    }

    fn turned(&self, exchange: &Exchange) -> Result<ServerReply, String> {
        let recorded = &exchange.response;
        Ok(match &recorded.payload {
            Payload::Body(body) => ServerReply::sse(frames(&events(body.value())?)),
            Payload::Sse(stream) => ServerReply::json(200, &body_of(stream, exchange)?),
            Payload::Text(_) => return Err("the answer is neither JSON nor a stream".to_owned()),
        })
    }

    fn nothing(&self) -> Value {
        json!({"type": "message", "content": [], "stop_reason": "end_turn"})
    }

    fn turn<'a>(&self, reply: &'a Value) -> Option<&'a Value> {
        reply.get("content")
    }

    fn is_turn(&self, recorded: &Value, got: &Value) -> Result<(), Difference> {
        equal(recorded, got)
    }

    fn neutral(&self, reply: &Value) -> Value {
        neutral(reply)
    }

    /// The blocks as they came, without empty texts, which the API refuses.
    fn is_sent_back(&self, turn: &Value, body: &Value) -> Result<(), Difference> {
        let is_empty_text = |block: &&Value| block.get("text").is_some_and(|text| text == "");
        let blocks = turn.as_array().into_iter().flatten();
        let expected: Value = blocks
            .filter(|block| !is_empty_text(block))
            .cloned()
            .collect();
        let messages = body.get("messages").and_then(Value::as_array);
        let of_model =
            |message: &&Value| message.get("role").is_some_and(|role| role == "assistant");
        let got = messages.into_iter().flatten().find(of_model);
        let got = got.and_then(|message| message.get("content"));
        equal(&expected, &got.cloned().unwrap_or_else(|| json!([])))
    }

    fn message<'a>(&self, body: &'a Value) -> Option<&'a str> {
        body.pointer("/error/message")?.as_str()
    }

    fn request_id(&self) -> &'static str {
        "request-id"
    }
}

/// What the neutral form must say, read from the JSON without haft.
fn neutral(body: &Value) -> Value {
    let blocks: Vec<&Value> = body
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .collect();
    let seam = blocks
        .iter()
        .rposition(|block| kind(block) == "fallback")
        .map_or(0, |at| at + 1);
    let of = |name: &str, field: &str| -> Vec<Value> {
        let found = blocks.iter().filter(|block| kind(block) == name);
        found
            .map(|block| block.get(field).cloned().unwrap_or_default())
            .collect()
    };
    let calls = blocks
        .iter()
        .skip(seam)
        .filter(|block| kind(block) == "tool_use");
    let tokens = |key: &str| {
        let value = body.get("usage").and_then(|usage| usage.get(key));
        value.and_then(Value::as_u64).unwrap_or_default()
    };
    let cache = tokens("cache_read_input_tokens") + tokens("cache_creation_input_tokens");
    json!({
        "blocks": blocks.len(),
        "text": of("text", "text"),
        "thinking": of("thinking", "thinking"),
        "calls": calls.map(|call| json!([call.get("id"), call.get("name"), call.get("input")])).collect::<Vec<_>>(),
        "stop_reason": body.get("stop_reason"),
        "id": body.get("id"),
        "model": body.get("model"),
        "input": tokens("input_tokens") + cache,
        "output": tokens("output_tokens"),
    })
}

fn kind(block: &Value) -> &str {
    block
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The message that a stream adds up to: its head is read here, its content is the recorded one.
fn body_of(stream: &str, exchange: &Exchange) -> Result<Value, String> {
    let content = exchange
        .reply
        .clone()
        .ok_or("the stream ends in an error")?;
    let mut message = Map::new();
    for data in stream.lines().filter_map(|line| line.strip_prefix("data:")) {
        let Ok(event) = serde_json::from_str::<Value>(data) else {
            continue;
        };
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                message = event
                    .get("message")
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
            }
            Some("message_delta") => {
                let delta = event.get("delta").and_then(Value::as_object);
                message.extend(delta.cloned().unwrap_or_default());
                let told = event.get("usage").and_then(Value::as_object).cloned();
                let usage = message.entry("usage").or_insert_with(|| json!({}));
                if let Some(usage) = usage.as_object_mut() {
                    let told = told.into_iter().flatten();
                    usage.extend(told.filter(|(_, value)| !value.is_null()));
                }
            }
            Some("message_stop") => break,
            _ => {}
        }
    }
    message.insert("content".to_owned(), content);
    Ok(Value::Object(message))
}
