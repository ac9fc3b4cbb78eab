//! A tool loop goes again as it was recorded: request by request.

use haft::serde_json::Value;
use haft::{End, Outcome, Request, Runner};

use super::{Ended, anthropic, word};
use crate::compare::{Earlier, compare_request};
use crate::equality::equal;
use crate::recording::{Payload, Recording, Replay};
use crate::server::{RequestSeen, Server, ServerReply};

/// Plays the loop; what differs is the error.
pub(super) async fn play(
    recording: &Recording,
    replay: &Replay,
    base_url: Option<&str>,
) -> Result<Ended, String> {
    let end = match base_url {
        Some(base_url) => run(recording, replay, base_url).await?,
        None => {
            let replies = recording
                .exchanges
                .iter()
                .map(|exchange| ServerReply::from(&exchange.response));
            let server = Server::start(replies.collect()).await;
            let end = run(recording, replay, server.url()).await;
            let arrived = arrived(&server)?;
            // What was asked wrong says more than what came of it, and that more than the count.
            check_requests(recording, &arrived)?;
            let end = end?;
            check_end(recording, replay, &end)?;
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

/// As a client that is set up with nothing but a key.
const RETRIES: usize = 2;

/// The client's part.
async fn run(recording: &Recording, replay: &Replay, base_url: &str) -> Result<End, String> {
    let first = recording
        .exchanges
        .first()
        .and_then(|exchange| exchange.request.as_ref());
    let body = first
        .ok_or("the recording has no first request")?
        .body
        .value();
    let provider =
        anthropic::provider(base_url, first, RETRIES).map_err(|error| error.to_string())?;
    let toolkit = anthropic::toolkit(body, &replay.results).map_err(|error| error.to_string())?;
    let request = Request::from_body(&provider, body.clone()).map_err(|error| error.to_string())?;
    let mut runner = Runner::new(provider, toolkit, request);
    if replay.ends_with_calls {
        let replies = recording
            .exchanges
            .iter()
            .filter(|it| it.response.status == 200);
        runner = runner.max_iterations(replies.count());
    }
    runner
        .run_to_completion()
        .await
        .map_err(|error| error.to_string())
}

fn arrived(server: &Server) -> Result<Vec<Value>, String> {
    let bodies = server
        .requests()
        .iter()
        .map(RequestSeen::json)
        .collect::<Result<_, _>>();
    bodies.map_err(|error| format!("a request is not JSON: {error}"))
}

/// Each request that arrived is the recorded one.
fn check_requests(recording: &Recording, arrived: &[Value]) -> Result<(), String> {
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
        compare_request(recording.api, recorded.body.value(), body, earlier)
            .map_err(|difference| format!("request {}: {difference}", at + 1))?;
    }
    Ok(())
}

/// The last reply is the recorded one, and the run ended as the recorded client did.
fn check_end(recording: &Recording, replay: &Replay, end: &End) -> Result<(), String> {
    let last = recording
        .exchanges
        .last()
        .map(|exchange| &exchange.response.payload);
    if let Some(Payload::Body(body)) = last {
        equal(body.value(), &end.reply.raw().to_value())
            .map_err(|difference| format!("the last reply: {difference}"))?;
    }
    match (&end.outcome, replay.ends_with_calls) {
        (Outcome::Capped { .. }, true) | (Outcome::Completed, false) => Ok(()),
        (outcome, _) => Err(format!("the run ended as {outcome:?}")),
    }
}
