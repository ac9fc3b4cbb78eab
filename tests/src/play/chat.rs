//! Chat completions in a play.
#![allow(
    clippy::indexing_slicing,
    reason = "what a JSON value does not have is null"
)]

use std::collections::BTreeMap;

use haft::openai::{Chat, Server};
use haft::serde_json::{self, Map, Value, json};
use haft::{Error, Provider};

use super::speaks::Speaks;
use super::tools::Function;
use crate::equality::{Difference, covers};
use crate::normal;
use crate::recording::{Api, Exchange, Payload, RecordedRequest};
use crate::server::ServerReply;

/// The chat completions API.
pub(super) struct Completions;

impl Speaks for Completions {
    fn api(&self) -> haft::Api {
        haft::Api::OPENAI_CHAT
    }

    fn path(&self) -> &'static str {
        "/v1"
    }

    fn provider(
        &self,
        base_url: &str,
        whose: &str,
        _: Option<&RecordedRequest>,
        max_retries: usize,
    ) -> Result<Box<dyn Provider>, Error> {
        let builder = Chat::builder().base_url(base_url).server(server(whose));
        Ok(Box::new(builder.max_retries(max_retries).build()?))
    }

    fn functions(&self, body: &Value) -> Vec<Function> {
        let tools = body["tools"].as_array().into_iter().flatten();
        let functions = tools.filter_map(|tool| tool.get("function")?.as_object());
        functions
            .filter_map(|it| Function::read(it, "parameters"))
            .collect()
    }

    fn turned(&self, exchange: &Exchange) -> Result<ServerReply, String> {
        Ok(match &exchange.response.payload {
            Payload::Body(body) => ServerReply::sse(frames(body.value())?),
            Payload::Sse(stream) => ServerReply::json(200, &body_of(stream, exchange)?),
            Payload::Text(_) => return Err("the answer is neither JSON nor a stream".to_owned()),
        })
    }

    fn nothing(&self) -> Value {
        let message = json!({"role": "assistant", "content": "after"});
        json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    }

    fn turn<'a>(&self, reply: &'a Value) -> Option<&'a Value> {
        reply.pointer("/choices/0/message")
    }

    /// Of a stream, content, calls and the reasoning text are recorded; some of them have no text where others have none
    /// at all, and thinking that came among the parts of the content was left out.
    fn is_turn(&self, recorded: &Value, got: &Value) -> Result<(), Difference> {
        let (recorded, mut got) = (essence(recorded), essence(got));
        if !has_thinking(&recorded)
            && let Some(parts) = got["content"].as_array_mut()
        {
            parts.retain(|part| part["type"] != "thinking");
        }
        covers(&recorded, &got)
    }

    /// A stream has no word for what is there and empty.
    fn is_reply(&self, recorded: &Value, got: &Value) -> Result<(), Difference> {
        let turn = |reply| self.turn(reply).cloned().unwrap_or_default();
        self.is_turn(&turn(recorded), &turn(got))
    }

    fn neutral(&self, reply: &Value) -> Value {
        let choice = &reply["choices"][0];
        let message = &choice["message"];
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let calls: Vec<_> = calls.map(call).collect();
        let tokens = |key: &str| reply["usage"][key].as_u64().unwrap_or_default();
        json!({
            "text": text(&message["content"]),
            "calls": calls,
            "stop_reason": stop_reason(choice, !calls.is_empty()),
            "id": reply.get("id"),
            "model": reply.get("model"),
            "input": tokens("prompt_tokens"),
            "output": tokens("completion_tokens"),
        })
    }

    /// Each field of the message is there again.
    fn is_sent_back(&self, turn: &Value, body: &Value) -> Result<(), Difference> {
        let messages = body["messages"].as_array().into_iter().flatten();
        let mut messages = messages.filter(|message| message["role"] == "assistant");
        let got = messages.next().cloned().unwrap_or_default();
        let expected = essence(turn);
        if is_silent(&expected) {
            return Ok(());
        }
        covers(&with_objects(expected), &essence(&got))
    }

    fn message<'a>(&self, body: &'a Value) -> Option<&'a str> {
        message(body)
    }

    fn request_id(&self) -> &'static str {
        "x-request-id"
    }
}

/// The message of an error, wherever servers have it.
pub(super) fn message(body: &Value) -> Option<&str> {
    let places = ["/error/message", "/error", "/message", "/0/error/message"];
    places
        .iter()
        .find_map(|place| body.pointer(place)?.as_str())
}

fn has_thinking(message: &Value) -> bool {
    let mut parts = message["content"].as_array().into_iter().flatten();
    parts.any(|part| part["type"] == "thinking")
}

/// A turn in which nothing is said is not sent.
fn is_silent(message: &Value) -> bool {
    let said = ["content", "tool_calls", "refusal", "audio", "function_call"];
    said.iter().all(|key| message.get(key).is_none())
}

/// By the name that the recording has for who answered.
fn server(whose: &str) -> Server {
    // Mistral's is not among them: the ids of its recordings were replaced by such as it does not take.
    const NAMES: [(&str, Server); 7] = [
        ("openai.com", Server::OpenAi),
        ("openai", Server::OpenAi),
        ("deepseek", Server::DeepSeek),
        ("groq", Server::Groq),
        ("openrouter", Server::OpenRouter),
        ("xai", Server::XAi),
        ("llamacpp", Server::LlamaCpp),
    ];
    let is_of = |name: &str| whose == name || whose.contains(&format!("{name}."));
    let found = NAMES.iter().find(|(name, _)| is_of(name));
    found.map_or(Server::Other, |(_, server)| *server)
}

fn call(call: &Value) -> Value {
    let function = if call["function"].is_object() {
        &call["function"]
    } else {
        &call["custom"]
    };
    let arguments = match function.get("input") {
        Some(input) => json!({ "input": input }),
        None => match function["arguments"].as_str() {
            Some("" | "null") | None => json!({}),
            Some(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        },
    };
    json!([call["id"], function["name"], arguments])
}

/// The text blocks that a content becomes.
fn text(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) if !text.is_empty() => vec![text.clone()],
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            vec![texts.collect()]
        }
        _ => Vec::new(),
    }
}

fn stop_reason(choice: &Value, has_calls: bool) -> Value {
    let is_refused = choice["message"]["refusal"]
        .as_str()
        .is_some_and(|it| !it.is_empty());
    match choice["finish_reason"].as_str() {
        Some("length") => json!("max_tokens"),
        Some("content_filter") => json!("refusal"),
        _ if has_calls => json!("tool_use"),
        _ if is_refused => json!("refusal"),
        Some("stop" | "" | "tool_calls") | None => json!("end_turn"),
        Some(other) => json!(other),
    }
}

/// A message without what says nothing. The arguments of calls are JSON values, and an empty text is none.
fn essence(message: &Value) -> Value {
    let mut message = normal::value(Api::OpenaiChat, message);
    if let Some(fields) = message.as_object_mut() {
        let is_empty = |content: &Value| {
            content == &json!([]) || content == &json!([{"type": "text", "text": ""}])
        };
        // Some servers fill in each field that there is, with nothing.
        fields.retain(|key, value| {
            if key == "content" {
                !is_empty(value)
            } else {
                says(value)
            }
        });
    }
    message
}

fn says(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(says),
        Value::Array(items) => !items.is_empty(),
        value => ![json!(""), json!(0), json!(false), Value::Null].contains(value),
    }
}

/// Arguments that were cut off are no object, and go back as an empty one.
fn with_objects(mut message: Value) -> Value {
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    let calls = calls.into_iter().flatten();
    for call in calls {
        if let Some(arguments) = call.pointer_mut("/function/arguments")
            && !arguments.is_object()
        {
            *arguments = json!({});
        }
    }
    message
}

/// A body as the chunks that the API would send: a begin, each field by itself, the end, the tokens.
fn frames(body: &Value) -> Result<String, String> {
    let choice = body.pointer("/choices/0").ok_or("the body has no choice")?;
    let message = choice["message"]
        .as_object()
        .ok_or("the choice has no message")?;
    let head: Map<_, _> = body
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "choices" && *key != "usage")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let chunk = |delta: Value, reason: &Value| {
        let mut chunk = head.clone();
        chunk.insert("object".to_owned(), json!("chat.completion.chunk"));
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        chunk.insert("choices".to_owned(), json!([choice]));
        Value::Object(chunk)
    };
    let mut chunks = vec![chunk(json!({"role": "assistant"}), &Value::Null)];
    for (key, value) in message {
        match key.as_str() {
            "role" => {}
            "tool_calls" => {
                for (index, call) in value.as_array().into_iter().flatten().enumerate() {
                    let mut call = call.clone();
                    call["index"] = json!(index);
                    chunks.push(chunk(json!({"tool_calls": [call]}), &Value::Null));
                }
            }
            _ => chunks.push(chunk(json!({ key: value }), &Value::Null)),
        }
    }
    let mut last = chunk(json!({}), &choice["finish_reason"]);
    if let (Some(usage), Some(fields)) = (body.get("usage"), last.as_object_mut()) {
        fields.insert("usage".to_owned(), usage.clone());
    }
    chunks.push(last);
    let frames = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
    Ok(frames.collect::<String>() + "data: [DONE]\n\n")
}

/// The body that a stream adds up to: its head is read here, its message is the recorded one.
fn body_of(stream: &str, exchange: &Exchange) -> Result<Value, String> {
    let message = exchange
        .reply
        .clone()
        .ok_or("the stream ends in an error")?;
    let mut fields: BTreeMap<String, Value> = BTreeMap::new();
    let mut reason = Value::Null;
    for data in stream.lines().filter_map(|line| line.strip_prefix("data:")) {
        let Ok(Value::Object(chunk)) = serde_json::from_str::<Value>(data) else {
            continue;
        };
        if let Some(word) = chunk.get("choices").map(|it| &it[0]["finish_reason"])
            && !word.is_null()
        {
            reason = word.clone();
        }
        fields.extend(chunk.into_iter().filter(|(_, value)| !value.is_null()));
    }
    fields.insert("object".to_owned(), json!("chat.completion"));
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    fields.insert("choices".to_owned(), json!([choice]));
    Ok(json!(fields))
}
