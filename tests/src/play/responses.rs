//! The Responses API in a play.
#![allow(
    clippy::indexing_slicing,
    reason = "what a JSON value does not have is null"
)]

use haft::serde_json::{self, Value, json};
use haft::{Error, Provider};

use super::chat;
use super::speaks::Speaks;
use super::tools::Function;
use crate::equality::{Difference, equal, equal_lists};
use crate::normal;
use crate::recording::{Api, Exchange, Payload, RecordedRequest};
use crate::server::ServerReply;

/// The Responses API.
pub(super) struct Responses;

impl Speaks for Responses {
    fn api(&self) -> haft::Api {
        haft::Api::OPENAI_RESPONSES
    }

    fn path(&self) -> &'static str {
        "/v1"
    }

    fn provider(
        &self,
        base_url: &str,
        _: &str,
        _: Option<&RecordedRequest>,
        max_retries: usize,
    ) -> Result<Box<dyn Provider>, Error> {
        let builder = haft::openai::Responses::builder().base_url(base_url);
        Ok(Box::new(builder.max_retries(max_retries).build()?))
    }

    /// Where a client says nothing of `strict`, nothing is said again.
    fn functions(&self, body: &Value) -> Vec<Function> {
        let tools = body["tools"].as_array().into_iter().flatten();
        let functions = tools.filter(|tool| tool["type"] == "function");
        let functions = functions.filter_map(|tool| {
            let mut fields = tool.as_object()?.clone();
            fields.shift_remove("type");
            fields.entry("strict").or_insert(Value::Null);
            Function::read(&fields, "parameters")
        });
        functions.collect()
    }

    fn turned(&self, exchange: &Exchange) -> Result<ServerReply, String> {
        Ok(match &exchange.response.payload {
            Payload::Body(body) => ServerReply::sse(frames(body.value())?),
            Payload::Sse(stream) => ServerReply::json(200, &last_response(stream)?),
            Payload::Text(_) => return Err("the answer is neither JSON nor a stream".to_owned()),
        })
    }

    fn nothing(&self) -> Value {
        json!({"object": "response", "status": "completed", "output": []})
    }

    fn turn<'a>(&self, reply: &'a Value) -> Option<&'a Value> {
        reply.get("output")
    }

    fn is_turn(&self, recorded: &Value, got: &Value) -> Result<(), Difference> {
        equal(&normal(recorded), &normal(got))
    }

    fn neutral(&self, reply: &Value) -> Value {
        let items: Vec<_> = reply["output"].as_array().into_iter().flatten().collect();
        let messages = items.iter().filter(|item| item["type"] == "message");
        let calls: Vec<_> = items.iter().filter_map(|item| call(item)).collect();
        let tokens = |key: &str| reply["usage"][key].as_u64().unwrap_or_default();
        json!({
            "blocks": items.len(),
            "text": messages.map(|item| text(item)).collect::<Vec<_>>(),
            "calls": calls,
            "id": reply.get("id"),
            "model": reply.get("model"),
            "input": tokens("input_tokens"),
            "output": tokens("output_tokens"),
        })
    }

    /// All items, in order, as they came.
    fn is_sent_back(&self, turn: &Value, body: &Value) -> Result<(), Difference> {
        let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let expected = items(&normal(turn));
        let input = items(&normal(&body["input"]));
        let got = input.get(1..).unwrap_or_default();
        equal_lists(&expected, got.get(..expected.len()).unwrap_or(got))
    }

    fn message<'a>(&self, body: &'a Value) -> Option<&'a str> {
        chat::message(body)
    }

    fn request_id(&self) -> &'static str {
        "x-request-id"
    }
}

fn normal(value: &Value) -> Value {
    normal::value(Api::OpenaiResponses, value)
}

/// A call that the program runs: id, name and input.
fn call(item: &Value) -> Option<Value> {
    let kind = item["type"].as_str()?;
    let name = item["name"]
        .as_str()
        .or_else(|| kind.strip_suffix("_call"))?;
    let input = match kind {
        "function_call" => match item["arguments"].as_str() {
            Some("") | None => json!({}),
            Some(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        },
        "custom_tool_call" => json!({"input": item["input"]}),
        "shell_call" | "local_shell_call" => item["action"].clone(),
        "apply_patch_call" => item["operation"].clone(),
        _ => return None,
    };
    Some(json!([item["call_id"], name, input]))
}

/// What is said in a message; a refusal is not.
fn text(item: &Value) -> String {
    let parts = item["content"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["text"].as_str()).collect()
}

/// A response as the events that the API would send: its begin, each item as it begins and as it is, its end.
fn frames(body: &Value) -> Result<String, String> {
    let items = body["output"].as_array().ok_or("the body has no output")?;
    let mut begun = body.clone();
    begun["status"] = json!("in_progress");
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (index, item) in items.iter().enumerate() {
        let of = |kind: &str, key: &str, value: &Value| json!({"type": kind, "output_index": index, "item_id": item["id"], key: value});
        let mut added = item.clone();
        if item["type"] == "function_call" {
            added["arguments"] = json!("");
        }
        if item["type"] == "message" {
            added["content"] = json!([]);
        }
        events.push(of("response.output_item.added", "item", &added));
        match item["type"].as_str() {
            Some("function_call") => {
                let kind = "response.function_call_arguments.delta";
                events.push(of(kind, "delta", &item["arguments"]));
            }
            Some("message") => {
                let parts = item["content"].as_array().into_iter().flatten();
                for (at, part) in parts
                    .enumerate()
                    .filter(|(_, part)| part["text"].is_string())
                {
                    let mut delta = of("response.output_text.delta", "delta", &part["text"]);
                    delta["content_index"] = json!(at);
                    events.push(delta);
                }
            }
            _ => {}
        }
        events.push(of("response.output_item.done", "item", item));
    }
    let last = if body["status"] == "incomplete" {
        "response.incomplete"
    } else {
        "response.completed"
    };
    events.push(json!({"type": last, "response": body}));
    let frame = |event: &Value| {
        let kind = event["type"].as_str().unwrap_or_default();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    Ok(events.iter().map(frame).collect())
}

/// The response of the last event.
fn last_response(stream: &str) -> Result<Value, String> {
    let mut events = stream.lines().rev().filter_map(|line| {
        let event: Value = serde_json::from_str(line.strip_prefix("data:")?).ok()?;
        let kind = event["type"].as_str()?;
        let is_last = matches!(kind, "response.completed" | "response.incomplete");
        is_last.then(|| event["response"].clone())
    });
    events
        .next()
        .ok_or_else(|| "the stream has no end".to_owned())
}
