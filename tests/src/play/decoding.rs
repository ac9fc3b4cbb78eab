//! Every reply is read and written back without a field lost; every error becomes the typed error.

use haft::anthropic::Anthropic;
use haft::serde_json::{Value, json};
use haft::{
    Content, Error, ErrorKind, Message, Reply, Request, Role, Runner, ToolCall, ToolResult, Toolkit,
};

use super::{Ended, anthropic, is_stream};
use crate::equality::{Difference, equal};
use crate::recording::{Exchange, Payload, Recording};
use crate::server::{Server, ServerReply};

/// Plays each exchange by itself.
pub(super) async fn play(recording: &Recording, base_url: Option<&str>) -> Result<Ended, String> {
    let mut last = Ended {
        outcome: "decoded".to_owned(),
        reply: None,
    };
    for (at, exchange) in recording.exchanges.iter().enumerate() {
        let played = match base_url {
            Some(base_url) => Ok(ask(exchange, base_url).await),
            None => check(exchange).await,
        };
        last = match played.map_err(|reason| format!("exchange {}: {reason}", at + 1))? {
            Ok(reply) => Ended {
                outcome: "decoded".to_owned(),
                reply: Some(reply.raw().clone()),
            },
            Err(error) => Ended {
                outcome: format!("error: {error}"),
                reply: None,
            },
        };
    }
    Ok(last)
}

/// Serves the recorded response, and holds what haft makes of it against it.
async fn check(exchange: &Exchange) -> Result<Result<Reply, Error>, String> {
    let second = json!({"type": "message", "content": [], "stop_reason": "end_turn"});
    let replies = vec![
        ServerReply::from(&exchange.response),
        ServerReply::json(200, &second),
    ];
    let server = Server::start(replies).await;
    let answer = ask(exchange, server.url()).await;
    match (&answer, exchange.response.status) {
        (Ok(reply), 200) => check_reply(exchange, reply, &server).await?,
        (Err(error), 400..) => check_error(exchange, error)?,
        (Err(error), 200) if is_stream(exchange) && exchange.reply.is_none() => {
            if error.provider_message().is_none() {
                return Err(format!("the error of the stream is told as: {error}"));
            }
        }
        (Ok(_), status) => return Err(format!("a reply was read from status {status}")),
        (Err(error), _) => return Err(error.to_string()),
    }
    Ok(answer)
}

/// Sends the recorded request. One that haft refuses to send, such as a history with an unanswered
/// call, is replaced: here it is the answer that counts.
async fn ask(exchange: &Exchange, base_url: &str) -> Result<Reply, Error> {
    let provider = anthropic::provider(base_url, exchange.request.as_ref(), 0)?;
    if let Some(recorded) = &exchange.request {
        let request = Request::from_body(&provider, recorded.body.value().clone())?;
        let request = asking(exchange, request);
        match first_reply(provider.clone(), request).await {
            Err(error) if error.kind() == ErrorKind::Request => {}
            answer => return answer,
        }
    }
    let request = Request::new("any").user("Hello");
    first_reply(provider, asking(exchange, request)).await
}

/// A request that is answered as it was recorded: whole, or as a stream.
fn asking(exchange: &Exchange, request: Request) -> Request {
    if is_stream(exchange) {
        request.max_tokens(anthropic::STREAMED)
    } else {
        request
    }
}

async fn first_reply(provider: Anthropic, request: Request) -> Result<Reply, Error> {
    let reply = Runner::new(provider, Toolkit::new(), request)
        .next_message()
        .await?;
    Ok(reply.unwrap_or_else(|| crate::fail("a run that has not begun must ask")))
}

/// The reply has every field, and goes back to the API with every field of every block.
async fn check_reply(exchange: &Exchange, reply: &Reply, server: &Server) -> Result<(), String> {
    let (expected, got) = match &exchange.response.payload {
        Payload::Body(body) => (body.value().clone(), reply.raw().to_value()),
        // Of a stream, only the turn is recorded that it adds up to.
        Payload::Sse(_) => {
            let turn = exchange
                .reply
                .as_ref()
                .ok_or("the stream should have failed")?;
            (
                json!({"content": turn}),
                json!({"content": reply.raw().to_value().get("content")}),
            )
        }
        Payload::Text(_) => {
            return Err("a reply was read from something that is no JSON".to_owned());
        }
    };
    equal(&expected, &got).map_err(|difference| format!("the reply: {difference}"))?;
    let neutral = (neutral_of_body(&expected), neutral_of_reply(reply));
    same_neutral(neutral, is_stream(exchange))
        .map_err(|difference| format!("the neutral form: {difference}"))?;
    let provider = anthropic::provider(server.url(), None, 0).map_err(|error| error.to_string())?;
    // Reasoning goes back only to the model that was asked.
    let asked = exchange
        .request
        .as_ref()
        .and_then(|request| request.body.value().get("model"));
    let model = asked.and_then(Value::as_str).unwrap_or("any");
    let results = reply
        .tool_calls()
        .map(|call| Content::ToolResult(ToolResult::new(call, Vec::new())));
    let answers = Message::new(
        Role::User,
        results.chain([Content::text("after")]).collect(),
    );
    let request = Request::new(model)
        .user("before")
        .message(reply.message().clone())
        .message(answers);
    Runner::new(provider, Toolkit::new(), request)
        .next_message()
        .await
        .map_err(|error| error.to_string())?;
    let sent = server
        .requests()
        .last()
        .and_then(|seen| seen.json().ok())
        .unwrap_or_default();
    let expected = sent_back(expected.get("content"));
    let messages = sent.get("messages").and_then(Value::as_array);
    let of_model = |message: &&Value| message.get("role").is_some_and(|role| role == "assistant");
    let got = messages.into_iter().flatten().find(of_model);
    let got = got.and_then(|message| message.get("content"));
    let got = got.cloned().unwrap_or_else(|| json!([]));
    equal(&expected, &got).map_err(|difference| format!("what is sent back: {difference}"))
}

fn same_neutral(
    (mut expected, mut got): (Value, Value),
    only_turn: bool,
) -> Result<(), Difference> {
    let of_turn = ["blocks", "text", "thinking", "calls"];
    for fields in [&mut expected, &mut got] {
        if let (true, Some(fields)) = (only_turn, fields.as_object_mut()) {
            fields.retain(|key, _| of_turn.contains(&key.as_str()));
        }
    }
    equal(&expected, &got)
}

/// What the neutral form must say, read from the JSON without haft.
fn neutral_of_body(body: &Value) -> Value {
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

fn neutral_of_reply(reply: &Reply) -> Value {
    let thinking = |block: &Content| match block {
        Content::Thinking(thinking) => Some(thinking.text.clone()),
        _ => None,
    };
    let call = |call: &ToolCall| json!([call.id(), call.name(), call.input().to_value()]);
    json!({
        "blocks": reply.content().len(),
        "text": reply.content().iter().filter_map(Content::as_text).collect::<Vec<_>>(),
        "thinking": reply.content().iter().filter_map(thinking).collect::<Vec<_>>(),
        "calls": reply.tool_calls().map(call).collect::<Vec<_>>(),
        "stop_reason": reply.stop_reason().as_str(),
        "id": reply.id(),
        "model": reply.model(),
        "input": reply.usage().input,
        "output": reply.usage().output,
    })
}

/// The blocks as they came, without empty texts, which the API refuses.
fn sent_back(content: Option<&Value>) -> Value {
    let is_empty_text = |block: &&Value| block.get("text").is_some_and(|text| text == "");
    content
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|block| !is_empty_text(block))
        .cloned()
        .collect()
}

/// The error has the status, the API's message, and the id of the request.
fn check_error(exchange: &Exchange, error: &Error) -> Result<(), String> {
    let response = &exchange.response;
    let body = match &response.payload {
        Payload::Body(body) => body.value(),
        _ => &Value::Null,
    };
    let id = response
        .headers
        .get("request-id")
        .map(String::as_str)
        .or_else(|| body.get("request_id").and_then(Value::as_str));
    let expected = json!({"status": response.status, "message": body.pointer("/error/message"), "request_id": id});
    let got = json!({"status": error.status(), "message": error.provider_message(), "request_id": error.request_id()});
    equal(&expected, &got).map_err(|difference| format!("the error: {difference}"))
}
