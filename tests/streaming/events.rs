//! What a stream tells, and when.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{
    Api, CallContext, ErrorKind, Event, ModelCall, Outcome, Provider, ReplyStream, Runner,
    StreamExt, Toolkit, tool, toolkit,
};
use haft_tests::lines::{self, request};
use haft_tests::over;

use crate::{heard, steps, varied};

#[tokio::test]
async fn a_run_is_told_as_it_happens() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    let expected = [
        "thinking \"Hm.\"",
        "text \"Let \"",
        "text \"me\"",
        "call call_1_1 steps",
        "input call_1_1 {}",
        "reply \"Let me\"",
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
        "end completed",
    ];
    assert_eq!(heard(runner.all_streaming()).await, expected);
    assert_eq!(heard(runner.all_streaming()).await, ["end completed"]);
}

#[tokio::test]
async fn a_turn_begins_with_the_calls_of_the_last_reply_and_ends_with_its_own() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    let mut turns = Vec::new();
    while let Some(turn) = runner.next_streaming().await.unwrap() {
        turns.push(heard(turn).await);
    }
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0].last().unwrap(), "reply \"Let me\"");
    let second = [
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
    ];
    assert_eq!(turns[1], second);
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}

#[tokio::test]
async fn what_failed_is_told_as_finished() {
    let model = ScriptedModel::new()
        .calls([("nothing", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    let events = heard(runner.all_streaming()).await;
    let finished = "finished call_1_1 Error: Tool 'nothing' not found. Available tools: steps";
    assert!(events.iter().any(|event| event == finished), "{events:?}");
}

#[tokio::test]
async fn a_stream_does_nothing_before_it_is_asked() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), toolkit![steps], request());
    drop(runner.next_streaming().await.unwrap());
    drop(runner.all_streaming());
    assert!(model.requests().is_empty());
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        if let Event::Reply(_) = event.unwrap() {
            break;
        }
    }
    // However long the program looks at the reply.
    tokio::task::yield_now().await;
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn the_reply_of_a_turn_can_be_waited_for() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    let turn = runner.next_streaming().await.unwrap().unwrap();
    assert_eq!(turn.into_reply().await.unwrap().unwrap().text(), "Let me");
    let broken = ScriptedModel::new().reply(varied().breaks());
    let mut runner = Runner::new(over::model(broken), toolkit![steps], request());
    let turn = runner.next_streaming().await.unwrap().unwrap();
    assert_eq!(
        turn.into_reply().await.unwrap_err().kind(),
        ErrorKind::Connection
    );
}

/// A model that gives its replies whole.
#[derive(Debug)]
struct Whole(ScriptedModel);

impl Provider for Whole {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::from_future(self.0.send(call).into_reply())
    }
}

#[tokio::test]
async fn a_provider_that_does_not_stream_is_told_block_by_block() {
    let model = Whole(ScriptedModel::new().reply(varied()).text("Done."));
    let mut runner = Runner::new(over::model(model), toolkit![steps], request()).eager(true);
    let expected = [
        "thinking \"Hm.\"",
        "text \"Let me\"",
        "call call_1_1 steps",
        "input call_1_1 {}",
        "reply \"Let me\"",
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
        "end completed",
    ];
    assert_eq!(heard(runner.all_streaming()).await, expected);
}

/// Tells that it is half done, and ends when the program has heard it.
#[tool(blocking)]
fn dig(call: &CallContext, heard: &Mutex<Receiver<()>>) -> String {
    call.progress("half");
    let heard = heard.lock().unwrap().recv_timeout(Duration::from_secs(10));
    format!("heard: {}", heard.is_ok())
}

#[tokio::test]
async fn progress_from_another_thread_wakes_the_stream() {
    let (hear, heard) = channel();
    let kit: Toolkit = toolkit![dig].with_state(Mutex::new(heard));
    let model = ScriptedModel::new()
        .calls([("dig", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request());
    let mut events = runner.all_streaming();
    let mut results = Vec::new();
    while let Some(event) = events.next().await {
        match event.unwrap() {
            Event::ToolProgress { .. } => hear.send(()).unwrap(),
            Event::ToolFinished(result) => results.push(result.text()),
            _ => {}
        }
    }
    assert_eq!(results, ["heard: true"]);
}

/// Two threads that wait for each other.
struct Signals {
    ended: Mutex<Receiver<()>>,
    told: Sender<()>,
}

/// Goes on to tell when its time is over.
#[tool(blocking, timeout = "20ms")]
fn outlast(call: &CallContext, signals: &Signals) -> &'static str {
    let ended = signals.ended.lock().unwrap();
    ended.recv_timeout(Duration::from_secs(10)).unwrap();
    call.progress("late");
    signals.told.send(()).unwrap();
    "late"
}

#[tokio::test]
async fn nothing_is_told_behind_the_end() {
    let ((end, ended), (told, late)) = (channel(), channel());
    let ended = Mutex::new(ended);
    let kit: Toolkit = toolkit![outlast].with_state(Signals { ended, told });
    let model = ScriptedModel::new()
        .calls([("outlast", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request());
    let mut events = runner.all_streaming();
    let mut last = None;
    while let Some(event) = events.next().await {
        last = Some(lines::event(&event.unwrap()));
    }
    assert_eq!(last.unwrap(), "end completed");
    end.send(()).unwrap();
    late.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(events.next().await.is_none());
}

/// What the runs that are dropped and go on have in the end.
pub(crate) const WHOLE_RUN: &[&str] = &[
    "user: Go",
    "assistant: Look + 1 a {} + 2 b {}",
    "user: 1 = a done + 2 = b done",
    "assistant: Done.",
];
