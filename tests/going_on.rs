//! What a run goes on with: messages that must wait, ends that follow from calls, hooks that come later.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::time::Instant;

use haft::serde_json::{self, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CallContext, Content, Decision, ErrorKind, Event, Hook, HookCall, HookFuture, Message,
    Outcome, RawJson, Runner, StreamExt, ToolError, tool, toolkit,
};
use haft_tests::lines::{history, request};
use haft_tests::log::Log;
use haft_tests::over;

/// A search that the server makes by itself, whose result is in the reply or not.
fn search(is_answered: bool) -> ScriptedReply {
    let block = |json: &str| Content::other(Api::TESTING, RawJson::parse(json).unwrap());
    let call = block(r#"{"type":"server_tool_use","id":"s1","name":"web_search"}"#);
    let result = block(r#"{"type":"web_search_tool_result","tool_use_id":"s1"}"#);
    let reply = ScriptedReply::new().content(call);
    if is_answered {
        reply.content(result)
    } else {
        reply
    }
}

/// The last message of each request, and whether it is what the user said.
async fn last_messages(model: &ScriptedModel, early: bool) -> Vec<bool> {
    let log = Log::new();
    let mut runner = Runner::new(
        over::model(model.clone()),
        log.toolkit(&["a"]).unwrap(),
        request(),
    );
    runner.next_message().await.unwrap();
    if early {
        runner.append_messages([Message::user("And hurry")]);
        runner.run_calls().await.unwrap();
    } else {
        runner.run_calls().await.unwrap();
        runner.append_messages([Message::user("And hurry")]);
    }
    runner.run_to_completion().await.unwrap();
    let is_said = |message: &Message| message.text() == "And hurry";
    let requests = model.requests();
    let last = requests.iter().map(|request| request.messages.last());
    last.skip(1).map(|last| last.is_some_and(is_said)).collect()
}

// The API takes only results where a call of its own has no result yet.
#[tokio::test]
async fn a_message_waits_while_the_server_owes_a_result() {
    for early in [true, false] {
        let owing = || search(false).call("a", json!({}));
        let model = ScriptedModel::new()
            .reply(owing())
            .text("Found.")
            .text("Yes.");
        assert_eq!(
            last_messages(&model, early).await,
            [false, true],
            "early: {early}"
        );
        let settled = || search(true).call("a", json!({}));
        let model = ScriptedModel::new().reply(settled()).text("Found it.");
        assert_eq!(last_messages(&model, early).await, [true], "early: {early}");
    }
}

/// Fails, always in the same way.
#[tool]
async fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("no"))
}

fn failing(times: usize) -> ScriptedModel {
    (0..times).fold(ScriptedModel::new(), |model, _| {
        model.calls([("fail", json!({}))])
    })
}

#[tokio::test]
async fn after_a_loop_failures_count_anew() {
    for appends in [false, true] {
        let model = failing(10);
        let mut runner = Runner::new(over::model(model.clone()), toolkit![fail], request())
            .stop_after_repeats(2);
        for replies in [2, 4] {
            let end = runner.run_to_completion().await.unwrap();
            assert!(matches!(end.outcome, Outcome::Looping { .. }), "{end:?}");
            assert_eq!(model.requests().len(), replies, "appends: {appends}");
            if appends {
                runner.append_messages([Message::user("Once more")]);
            }
        }
    }
}

#[tokio::test]
async fn an_end_that_follows_from_calls_that_the_program_ran_is_told() {
    /// Fails, if it may.
    #[tool(approval)]
    async fn ask() -> Result<String, ToolError> {
        Err(ToolError::new("no"))
    }
    let model = ScriptedModel::new()
        .calls([("ask", json!({}))])
        .text("Done.");
    let mut runner =
        Runner::new(over::model(model.clone()), toolkit![ask], request()).stop_after_repeats(1);
    runner.run_to_completion().await.unwrap();
    runner.decide("call_1_1", Decision::Allow).unwrap();
    assert_eq!(runner.run_calls().await.unwrap().len(), 1);
    let end = runner.run_to_completion().await.unwrap();
    assert!(matches!(end.outcome, Outcome::Looping { .. }), "{end:?}");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn a_hook_that_is_given_when_a_run_is_resumed_sees_the_calls_that_wait() {
    struct No;
    impl Hook for No {
        fn before_call<'a>(&'a self, _: HookCall<'a>) -> HookFuture<'a, Decision> {
            Box::pin(async { Ok(Decision::Deny("no".to_owned())) })
        }
    }
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let model = ScriptedModel::new().calls([("a", json!({}))]).text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit.clone(), request());
    runner.next_message().await.unwrap();
    let state = serde_json::to_string(&runner.state()).unwrap();
    let state = serde_json::from_str(&state).unwrap();
    let mut runner = Runner::resume(over::model(model), kit, state)
        .unwrap()
        .hook(No);
    runner.run_to_completion().await.unwrap();
    assert_eq!(log.lines(), Vec::<String>::new());
    assert_eq!(
        history(&runner.messages())[2],
        "user: call_1_1 = Error: Tool 'a' was denied: no"
    );
}

#[tokio::test]
async fn what_a_thread_tells_after_its_stream_was_dropped_is_not_kept() {
    use std::sync::mpsc::{Receiver, channel};
    use std::sync::{Arc, Mutex};

    struct Gate {
        open: Mutex<Receiver<()>>,
        _held: Arc<()>,
    }
    /// Tells much, when it may.
    #[tool(blocking)]
    fn talk(gate: &Gate, call: &CallContext) -> &'static str {
        let _ = gate.open.lock().unwrap().recv();
        call.progress(Content::text("much"));
        "done"
    }
    let (open, gate) = channel();
    let held = Arc::new(());
    let kit = toolkit![talk].with_state(Gate {
        open: Mutex::new(gate),
        _held: Arc::clone(&held),
    });
    let model = ScriptedModel::new().calls([("talk", json!({}))]);
    let mut runner = Runner::new(over::model(model), kit, request());
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        if matches!(event, Ok(Event::ToolStarted(_))) {
            break;
        }
    }
    let mut next = events.next();
    assert!(poll_once(&mut next).is_none(), "the thread has begun");
    drop(events);
    open.send(()).unwrap();
    drop(runner);
    // The thread ends, and nothing is left of what it held.
    for _ in 0..200 {
        if Arc::strong_count(&held) == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("the thread did not end");
}

/// One poll of a future.
fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::Pin::new(future).poll(&mut context) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

/// The time of a reply with so many calls, the shortest of three.
async fn time_of(calls: usize, most: usize) -> u128 {
    /// Adds two integers.
    #[tool]
    async fn add(a: usize, b: usize) -> usize {
        a + b
    }
    let mut shortest = u128::MAX;
    for _ in 0..3 {
        let all = (0..calls).map(|a| ("add", json!({"a": a, "b": 1})));
        let model = ScriptedModel::new().calls(all).text("Done.");
        let mut runner =
            Runner::new(over::model(model), toolkit![add], request()).max_concurrent_tools(most);
        let begun = Instant::now();
        runner.run_to_completion().await.unwrap();
        shortest = shortest.min(begun.elapsed().as_micros());
    }
    shortest
}

#[tokio::test]
async fn many_calls_take_time_by_their_number() {
    for most in [0, 8] {
        let (few, many) = (time_of(500, most).await, time_of(4000, most).await);
        // Eight times the calls; by their square it would be 64.
        assert!(many < few * 24, "{few} and {many} us, {most} at once");
    }
}

#[tokio::test]
async fn a_message_in_which_nothing_is_said_opens_no_ended_run() {
    let model = ScriptedModel::new().text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), toolkit![fail], request());
    runner.run_to_completion().await.unwrap();
    runner.append_messages([Message::user(" "), Message::user("")]);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed);
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn what_is_shown_can_be_sent_whatever_the_program_has_edited() {
    let log = Log::new();
    let model = ScriptedModel::new().calls([("a", json!({}))]).text("Done.");
    let mut runner = Runner::new(over::model(model), log.toolkit(&["a"]).unwrap(), request());
    runner.next_message().await.unwrap();
    runner.run_calls().await.unwrap();
    // Only the results, and not the calls before them.
    runner.request_mut().messages.pop();
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    let shown = runner.messages();
    assert_eq!(shown[2].tool_results().count(), 1);
    // And with that it goes on.
    runner.request_mut().messages = shown;
    runner.run_to_completion().await.unwrap();
}
