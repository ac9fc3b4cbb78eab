//! A tool loop goes again as it was recorded: request by request.

use haft::serde_json::{Map, Value};
use haft::{Error, Outcome, Reply, Request, Runner};

use super::speaks::speaks;
use super::tools::toolkit;
use super::{Ended, Mode, word};
use crate::compare::{Earlier, compare_request};
use crate::equality::equal;
use crate::normal;
use crate::recording::{Exchange, Payload, Recording, Replay};
use crate::server::{RequestSeen, Server, ServerReply};

/// Plays the loop; what differs is the error.
pub(super) async fn play(
    recording: &Recording,
    replay: &Replay,
    mode: Mode,
    base_url: Option<&str>,
) -> Result<Ended, String> {
    let end = match base_url {
        Some(base_url) => run(recording, replay, mode, base_url).await?,
        None => {
            let answer = |exchange: &Exchange| match mode {
                Mode::Recorded => Ok(ServerReply::from(&exchange.response)),
                Mode::Other => turned(recording, exchange),
            };
            let replies = recording.exchanges.iter().map(answer);
            let server = Server::start(replies.collect::<Result<_, _>>()?).await;
            let base_url = format!("{}{}", server.url(), speaks(recording.api).path());
            let end = run(recording, replay, mode, &base_url).await;
            let arrived = arrived(&server)?;
            // What was asked wrong says more than what came of it, and that more than the count.
            check_requests(recording, mode, &arrived)?;
            let end = end?;
            check_end(recording, replay, mode, &end)?;
            let (expected, got) = (recording.exchanges.len(), arrived.len());
            if expected != got {
                return Err(format!("expected {expected} requests, got {got}"));
            }
            end
        }
    };
    Ok(Ended {
        outcome: word(&end.outcome).to_owned(),
        reply: Some(end.reply.raw().clone()),
    })
}

/// How the run ended.
struct End {
    reply: Reply,
    outcome: Outcome,
}

/// As a client that is set up with nothing but a key.
const RETRIES: usize = 2;

/// The client's part.
async fn run(
    recording: &Recording,
    replay: &Replay,
    mode: Mode,
    base_url: &str,
) -> Result<End, String> {
    let first = recording
        .exchanges
        .first()
        .and_then(|exchange| exchange.request.as_ref());
    let body = first
        .ok_or("the recording has no first request")?
        .body
        .value();
    let speaks = speaks(recording.api);
    let provider = speaks.provider(base_url, &recording.provider, first, RETRIES);
    let provider = provider.map_err(|error| error.to_string())?;
    let toolkit = toolkit(speaks, body, &replay.results).map_err(|error| error.to_string())?;
    let request = Request::from_body(&provider, body.clone()).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(provider, toolkit, request);
    let turns: Vec<bool> = answered(recording)
        .map(|it| is_streamed(it) == (mode == Mode::Recorded))
        .collect();
    if replay.ends_with_calls {
        runner = runner.max_iterations(turns.len());
    }
    let driven = drive(&mut runner, &turns).await;
    driven.map_err(|error| error.to_string())?;
    match (runner.outcome(), runner.last_message()) {
        (Some(outcome), Some(reply)) => Ok(End {
            reply: reply.clone(),
            outcome,
        }),
        (outcome, _) => Err(format!("the run ended with {outcome:?} and no reply")),
    }
}

/// The exchanges that gave a reply: the others are those that a client retries.
fn answered(recording: &Recording) -> impl Iterator<Item = &Exchange> {
    let exchanges = recording.exchanges.iter();
    exchanges.filter(|exchange| exchange.response.status == 200)
}

fn is_streamed(exchange: &Exchange) -> bool {
    let request = exchange.request.as_ref();
    let stream = request.and_then(|request| request.body.value().get("stream"));
    stream == Some(&Value::Bool(true))
}

/// Runs to the end, each turn as a stream or not.
async fn drive(runner: &mut Runner, turns: &[bool]) -> Result<(), Error> {
    loop {
        let is_streamed = turns
            .get(runner.iteration_count())
            .copied()
            .unwrap_or_default();
        let has_ended = if is_streamed {
            match runner.next_streaming().await? {
                Some(turn) => turn.into_reply().await?.is_none(),
                None => true,
            }
        } else {
            runner.next_message().await?.is_none()
        };
        if has_ended {
            return Ok(());
        }
    }
}

fn arrived(server: &Server) -> Result<Vec<Value>, String> {
    let bodies = server
        .requests()
        .iter()
        .map(RequestSeen::json)
        .collect::<Result<_, _>>();
    bodies.map_err(|error| format!("a request is not JSON: {error}"))
}

/// The answer in the other mode; an error has none, and is answered as it was.
fn turned(recording: &Recording, exchange: &Exchange) -> Result<ServerReply, String> {
    let recorded = &exchange.response;
    if recorded.status != 200 {
        return Ok(ServerReply::from(recorded));
    }
    let speaks = speaks(recording.api);
    let turned = speaks.turned(exchange)?;
    Ok(match recorded.headers.get(speaks.request_id()) {
        Some(id) => turned.header(speaks.request_id(), id),
        None => turned,
    })
}

/// Each request that arrived is the recorded one.
fn check_requests(recording: &Recording, mode: Mode, arrived: &[Value]) -> Result<(), String> {
    for (at, (exchange, body)) in recording.exchanges.iter().zip(arrived).enumerate() {
        let Some(recorded) = &exchange.request else {
            continue;
        };
        let earlier = match at
            .checked_sub(1)
            .and_then(|before| arrived.get(before).zip(recording.exchanges.get(before)))
        {
            Some((request, exchange)) => {
                Earlier::request(request).answered(exchange.assistant_turn(recording.api))
            }
            None => Earlier::nothing(),
        };
        let (recorded, body) = match mode {
            Mode::Recorded => (recorded.body.value().clone(), body.clone()),
            Mode::Other => (without_mode(recorded.body.value()), without_mode(body)),
        };
        compare_request(recording.api, &recorded, &body, earlier)
            .map_err(|difference| format!("request {}: {difference}", at + 1))?;
    }
    Ok(())
}

fn without_mode(body: &Value) -> Value {
    let fields = body.as_object().into_iter().flatten();
    let fields = fields.filter(|(key, _)| !key.starts_with("stream"));
    Value::Object(
        fields
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Map<_, _>>(),
    )
}

/// The last reply is the recorded one, and the run ended as the recorded client did.
fn check_end(recording: &Recording, replay: &Replay, mode: Mode, end: &End) -> Result<(), String> {
    let raw = end.reply.raw().to_value();
    let speaks = speaks(recording.api);
    let normal = |value: &Value| normal::value(recording.api, value);
    let same = match recording.exchanges.last() {
        Some(Exchange {
            reply: Some(turn), ..
        }) => {
            let got = speaks.turn(&raw).cloned().unwrap_or_default();
            speaks.is_turn(turn, &got)
        }
        Some(exchange) => match &exchange.response.payload {
            Payload::Body(body) if mode == Mode::Other => {
                speaks.is_reply(&normal(body.value()), &normal(&raw))
            }
            Payload::Body(body) => equal(&normal(body.value()), &normal(&raw)),
            Payload::Sse(_) | Payload::Text(_) => Ok(()),
        },
        None => Ok(()),
    };
    same.map_err(|difference| format!("the last reply: {difference}"))?;
    match (&end.outcome, replay.ends_with_calls) {
        (Outcome::Capped { .. }, true) | (Outcome::Completed, false) => Ok(()),
        (outcome, _) => Err(format!("the run ended as {outcome:?}")),
    }
}
