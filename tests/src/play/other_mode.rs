//! Recorded answers in the other mode: a whole body as the stream that the API would send, a stream as its whole body.

use serde_json::{Map, Value, json};

use crate::message_stream::{events, frames};
use crate::recording::{Exchange, Payload};
use crate::server::ServerReply;

/// The answer in the other mode; an error has none, and is answered as it was.
pub(super) fn turned(exchange: &Exchange) -> Result<ServerReply, String> {
    let recorded = &exchange.response;
    let turned = match &recorded.payload {
        _ if recorded.status != 200 => return Ok(ServerReply::from(recorded)),
        Payload::Body(body) => ServerReply::sse(frames(&events(body.value())?)),
        Payload::Sse(stream) => ServerReply::json(200, &body_of(stream, exchange)?),
        Payload::Text(_) => return Err("the answer is neither JSON nor a stream".to_owned()),
    };
    let id = recorded.headers.get("request-id");
    Ok(match id {
        Some(id) => turned.header("request-id", id),
        None => turned,
    })
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
