//! Every reply is read and written back without a field lost; every error becomes the typed error.

use haft::serde_json::{Value, json};
use haft::{Error, RawJson, Reply, Request, Runner, Toolkit};

use super::{Played1, anthropic};
use crate::equality::equal;
use crate::recording::{Exchange, Payload, Recording};
use crate::server::{Server, ServerReply};

/// Plays each exchange by itself.
pub(super) async fn play(recording: &Recording, base_url: Option<&str>) -> Result<Played1, String> {
    let mut last = Played1 {
        outcome: "decoded".to_owned(),
        reply: None,
    };
    for (at, exchange) in recording.exchanges.iter().enumerate() {
        let played = match base_url {
            Some(base_url) => ask(exchange, base_url)
                .await
                .map_or_else(|_| None, |reply| Some(reply.raw().clone())),
            None => check(exchange)
                .await
                .map_err(|reason| format!("exchange {}: {reason}", at + 1))?,
        };
        last.reply = played.or(last.reply);
    }
    Ok(last)
}

/// Serves the recorded response, and holds what haft makes of it against it.
async fn check(exchange: &Exchange) -> Result<Option<RawJson>, String> {
    let second = json!({"type": "message", "content": [], "stop_reason": "end_turn"});
    let server = Server::start(vec![
        ServerReply::from(&exchange.response),
        ServerReply::json(200, &second),
    ])
    .await;
    match (ask(exchange, server.url()).await, exchange.response.status) {
        (Ok(reply), 200) => {
            check_reply(exchange, &reply, &server).await?;
            Ok(Some(reply.raw().clone()))
        }
        (Err(error), 400..) => check_error(exchange, &error).map(|()| None),
        (Ok(_), status) => Err(format!("a reply was read from status {status}")),
        (Err(error), _) => Err(error.to_string()),
    }
}

async fn ask(exchange: &Exchange, base_url: &str) -> Result<Reply, Error> {
    let recorded = exchange.request.as_ref();
    let provider = anthropic::provider(base_url, recorded, 0)?;
    let request = match recorded {
        Some(recorded) => Request::from_body(&provider, recorded.body.value().clone())?,
        None => Request::new("any").user("Hello"),
    };
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    let reply = runner.next_message().await?;
    Ok(reply.unwrap_or_else(|| crate::fail("a run that has not begun must ask")))
}

/// The reply has every field, and goes back to the API with every field of every block.
async fn check_reply(exchange: &Exchange, reply: &Reply, server: &Server) -> Result<(), String> {
    let Payload::Body(body) = &exchange.response.payload else {
        return Err("a reply was read from something that is no JSON".to_owned());
    };
    equal(body.value(), &reply.raw().to_value())
        .map_err(|difference| format!("the reply: {difference}"))?;
    let provider = anthropic::provider(server.url(), None, 0).map_err(|error| error.to_string())?;
    let request = Request::new("any")
        .user("before")
        .message(reply.message().clone())
        .user("after");
    Runner::new(provider, Toolkit::new(), request)
        .next_message()
        .await
        .map_err(|error| error.to_string())?;
    let sent = server
        .requests()
        .last()
        .and_then(|seen| seen.json().ok())
        .unwrap_or_default();
    let expected = sent_back(body.value().get("content"));
    let messages = sent.get("messages").and_then(Value::as_array);
    let of_model = |message: &&Value| message.get("role").is_some_and(|role| role == "assistant");
    let got = messages.into_iter().flatten().find(of_model);
    let got = got.and_then(|message| message.get("content"));
    let got = got.cloned().unwrap_or_else(|| json!([]));
    equal(&expected, &got).map_err(|difference| format!("what is sent back: {difference}"))
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
