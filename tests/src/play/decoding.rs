//! Every reply is read and written back without a field lost; every error becomes the typed error.

use haft::serde_json::{Value, json};
use haft::{
    Content, Error, ErrorKind, Message, Provider, Reply, Request, Role, Runner, ToolCall,
    ToolResult, Toolkit,
};

use super::speaks::{Speaks, speaks};
use super::{Ended, is_stream};
use crate::equality::equal;
use crate::recording::{Exchange, Payload, Recording};
use crate::server::{Server, ServerReply};

/// Plays each exchange by itself.
pub(super) async fn play(recording: &Recording, base_url: Option<&str>) -> Result<Ended, String> {
    let mut last = Ended {
        outcome: "decoded".to_owned(),
        reply: None,
    };
    for (at, exchange) in recording.exchanges.iter().enumerate() {
        let one = One {
            exchange,
            speaks: speaks(recording.api),
            whose: &recording.provider,
        };
        let played = match base_url {
            Some(base_url) => Ok(one.ask(base_url).await),
            None => one.check().await,
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

/// One exchange by itself.
struct One<'a> {
    exchange: &'a Exchange,
    speaks: &'static dyn Speaks,
    whose: &'a str,
}

impl One<'_> {
    /// Serves the recorded response, and holds what haft makes of it against it.
    async fn check(&self) -> Result<Result<Reply, Error>, String> {
        let response = &self.exchange.response;
        let replies = vec![
            ServerReply::from(response),
            ServerReply::json(200, &self.speaks.nothing()),
        ];
        let server = Server::start(replies).await;
        let base_url = format!("{}{}", server.url(), self.speaks.path());
        let answer = self.ask(&base_url).await;
        match (&answer, response.status) {
            // A page of somebody else, in the place of a reply.
            (Err(error), 200) if matches!(response.payload, Payload::Text(_)) => {
                if error.kind() != ErrorKind::Protocol {
                    return Err(format!("what is no reply is told as: {error}"));
                }
            }
            (Ok(reply), 200) => self.check_reply(reply, &server, &base_url).await?,
            (Err(error), 400..) => self.check_error(error)?,
            (Err(error), 200) if is_stream(self.exchange) && self.exchange.reply.is_none() => {
                if error.provider_message().is_none() {
                    return Err(format!("the error of the stream is told as: {error}"));
                }
            }
            (Ok(_), status) => return Err(format!("a reply was read from status {status}")),
            (Err(error), _) => return Err(error.to_string()),
        }
        Ok(answer)
    }

    fn provider(&self, base_url: &str) -> Result<Box<dyn Provider>, Error> {
        let recorded = self.exchange.request.as_ref();
        self.speaks.provider(base_url, self.whose, recorded, 0)
    }

    /// Sends the recorded request. One that haft refuses to send, such as a history with an unanswered
    /// call, is replaced: here it is the answer that counts.
    async fn ask(&self, base_url: &str) -> Result<Reply, Error> {
        if let Some(recorded) = &self.exchange.request {
            let provider = self.provider(base_url)?;
            match Request::from_body(&provider, recorded.body.value().clone()) {
                Ok(request) => match self.first_reply(provider, request).await {
                    Err(error) if error.kind() == ErrorKind::Request => {}
                    answer => return answer,
                },
                Err(error) => return Err(error),
            }
        }
        let request = Request::new("any").user("Hello");
        self.first_reply(self.provider(base_url)?, request).await
    }

    /// Answered as it was recorded: whole, or as a stream.
    async fn first_reply(
        &self,
        provider: Box<dyn Provider>,
        request: Request,
    ) -> Result<Reply, Error> {
        let mut runner = Runner::new(provider, Toolkit::new(), request);
        let reply = if is_stream(self.exchange) {
            match runner.next_streaming().await? {
                Some(turn) => turn.into_reply().await?,
                None => None,
            }
        } else {
            runner.next_message().await?
        };
        Ok(reply.unwrap_or_else(|| crate::fail("a run that has not begun must ask")))
    }

    /// The reply has every field, and goes back to the API with every field of every block.
    async fn check_reply(
        &self,
        reply: &Reply,
        server: &Server,
        base_url: &str,
    ) -> Result<(), String> {
        let raw = reply.raw().to_value();
        let got = self.speaks.turn(&raw).cloned().unwrap_or_default();
        let (turn, expected) = match &self.exchange.response.payload {
            Payload::Body(body) => {
                let body = body.value();
                equal(body, &raw).map_err(|difference| format!("the reply: {difference}"))?;
                (self.speaks.turn(body).cloned(), body.clone())
            }
            // Of a stream, only the turn is recorded that it adds up to.
            Payload::Sse(_) => {
                let turn = self.exchange.reply.clone();
                let turn = turn.ok_or("the stream should have failed")?;
                let same = self.speaks.is_turn(&turn, &got);
                same.map_err(|difference| format!("the reply: {difference}"))?;
                (Some(got), raw)
            }
            Payload::Text(_) => {
                return Err("a reply was read from something that is no JSON".to_owned());
            }
        };
        let said = neutral_of_reply(reply, &self.speaks.neutral(&expected));
        equal(&self.speaks.neutral(&expected), &said)
            .map_err(|difference| format!("the neutral form: {difference}"))?;
        let turn = turn.unwrap_or_else(|| json!([]));
        self.check_echo(reply, &turn, server, base_url).await
    }

    async fn check_echo(
        &self,
        reply: &Reply,
        turn: &Value,
        server: &Server,
        base_url: &str,
    ) -> Result<(), String> {
        // A server that takes all back that it gives.
        let provider = self.speaks.provider(base_url, "", None, 0);
        let provider = provider.map_err(|error| error.to_string())?;
        // Reasoning goes back only to the model that was asked.
        let asked = self.exchange.request.as_ref();
        let asked = asked.and_then(|request| request.body.value().get("model"));
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
            .map_err(|error| format!("sending it back: {error}"))?;
        let sent = server
            .requests()
            .last()
            .and_then(|seen| seen.json().ok())
            .unwrap_or_default();
        let is_sent_back = self.speaks.is_sent_back(turn, &sent);
        is_sent_back.map_err(|difference| format!("what is sent back: {difference}"))
    }

    /// The error has the status, the API's message, and the id of the request.
    fn check_error(&self, error: &Error) -> Result<(), String> {
        let response = &self.exchange.response;
        let body = match &response.payload {
            Payload::Body(body) => body.value(),
            _ => &Value::Null,
        };
        let id = response
            .headers
            .get(self.speaks.request_id())
            .map(String::as_str)
            .or_else(|| body.get("request_id").and_then(Value::as_str));
        let message = self.speaks.message(body);
        let expected = json!({"status": response.status, "message": message, "request_id": id});
        let got = json!({"status": error.status(), "message": error.provider_message(), "request_id": error.request_id()});
        equal(&expected, &got).map_err(|difference| format!("the error: {difference}"))
    }
}

/// What the neutral form says, of that which it must.
fn neutral_of_reply(reply: &Reply, expected: &Value) -> Value {
    let thinking = |block: &Content| match block {
        Content::Thinking(thinking) => Some(thinking.text.clone()),
        _ => None,
    };
    let call = |call: &ToolCall| json!([call.id(), call.name(), call.input().to_value()]);
    let mut said = json!({
        "blocks": reply.content().len(),
        "text": reply.content().iter().filter_map(Content::as_text).collect::<Vec<_>>(),
        "thinking": reply.content().iter().filter_map(thinking).collect::<Vec<_>>(),
        "calls": reply.tool_calls().map(call).collect::<Vec<_>>(),
        "stop_reason": reply.stop_reason().as_str(),
        "id": reply.id(),
        "model": reply.model(),
        "input": reply.usage().input,
        "output": reply.usage().output,
    });
    if let Some(fields) = said.as_object_mut() {
        fields.retain(|key, _| expected.get(key).is_some());
    }
    said
}
