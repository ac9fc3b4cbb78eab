//! What a runner makes of replies: what runs, what is sent next, and how the run ends.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft::serde_json::{self, Value, json};
use haft::testing::{ScriptedModel, ScriptedReply, TestModel};
use haft::{
    Api, CapPolicy, Content, Decision, ErrorKind, FunctionTool, Message, ModelCall, Outcome,
    Provider, ReplyStream, Request, Role, Runner, StopReason, StreamExt, ToolChoice,
    ToolDefinition, ToolError, ToolOutput, Toolkit, tool, toolkit,
};
use haft_tests::lines;
use haft_tests::told::{self, Told};

/// Adds two integers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Fails, always.
#[tool]
async fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("no luck"))
}

/// Panics, always.
#[tool]
async fn explode() -> String {
    panic!("boom")
}

fn request() -> Request {
    Request::new("any").user("Go")
}

fn add_call() -> [(&'static str, Value); 1] {
    [("add", json!({"a": 2, "b": 3}))]
}

/// A tool that counts how often it ran.
fn counting(name: &str, runs: &Arc<AtomicUsize>) -> FunctionTool {
    let runs = Arc::clone(runs);
    FunctionTool::from_schema(
        name,
        "Counts.",
        json!({"type": "object", "properties": {}}),
        move |_: Value| {
            runs.fetch_add(1, Ordering::SeqCst);
            async { Ok::<_, ToolError>("counted") }
        },
    )
    .unwrap()
}

/// A toolkit with one such tool, `count`, and its count.
fn counter() -> (Toolkit, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = Toolkit::new().with(counting("count", &runs)).unwrap();
    (kit, runs)
}

/// The texts of the results in a message.
fn results(message: &Message) -> Vec<(String, bool)> {
    message
        .tool_results()
        .map(|result| (result.text(), result.is_error()))
        .collect()
}

#[tokio::test]
async fn calls_run_and_their_results_are_sent() {
    let model = ScriptedModel::new().calls(add_call()).text("It is 5.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (end.reply.text().as_str(), &end.outcome),
        ("It is 5.", &Outcome::Completed)
    );
    let sent = &model.requests()[1].messages;
    let roles: Vec<_> = sent.iter().map(Message::role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert_eq!(results(&sent[2]), [("5".to_owned(), false)]);
    assert_eq!(sent[2].tool_results().next().unwrap().call_id(), "call_1_1");
    assert_eq!(runner.messages().len(), 4);
}

// RN-27.
#[tokio::test]
async fn each_reply_is_given_once() {
    let model = ScriptedModel::new()
        .calls(add_call())
        .calls(add_call())
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![add], request());
    let mut stop_reasons = Vec::new();
    while let Some(reply) = runner.next_message().await.unwrap() {
        stop_reasons.push(reply.stop_reason().clone());
    }
    assert_eq!(
        stop_reasons,
        [
            StopReason::ToolUse,
            StopReason::ToolUse,
            StopReason::EndTurn
        ]
    );
    assert!(
        runner.next_message().await.unwrap().is_none(),
        "and stays at the end"
    );
    assert_eq!((runner.iteration_count(), runner.is_completed()), (3, true));
}

#[tokio::test]
async fn all_is_a_stream_of_the_replies() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(model, toolkit![add], request());
    let texts: Vec<_> = runner
        .all()
        .map(|reply| reply.unwrap().text())
        .collect()
        .await;
    assert_eq!(texts, ["", "Done."]);
}

// RN-28, without a stream.
#[tokio::test]
async fn all_ends_after_an_error() {
    let model = ScriptedModel::new().fails(500, "broken").text("Later.");
    let mut runner = Runner::new(model, Toolkit::new(), request());
    let replies: Vec<_> = runner.all().collect().await;
    assert_eq!(replies.len(), 1);
    assert!(replies[0].is_err());
    {
        let mut all = std::pin::pin!(runner.all());
        assert_eq!(
            all.next().await.unwrap().unwrap().text(),
            "Later.",
            "going on asks again"
        );
        assert!(all.next().await.is_none());
        assert!(
            all.next().await.is_none(),
            "a stream that has ended may be asked again"
        );
    }
    assert!(runner.is_completed());
}

// RN-6, RN-25 and T6.
#[tokio::test]
async fn whatever_goes_wrong_in_a_call_is_told_to_the_model() {
    let calls = [
        ("serch", json!({})),
        ("add", json!({"a": "x"})),
        ("fail", json!({})),
        ("explode", json!({})),
        ("add", json!({"a": 1, "b": 1})),
    ];
    let model = ScriptedModel::new().calls(calls).text("Sorry.");
    let mut runner = Runner::new(model.clone(), toolkit![add, fail, explode], request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Completed
    );
    let told = results(&model.requests()[1].messages[2]);
    let error = |text: &str| (text.to_owned(), true);
    assert_eq!(
        told[0],
        error("Error: Tool 'serch' not found. Available tools: add, fail, explode")
    );
    assert_eq!(
        told[1],
        error(
            "Error: Invalid input for tool 'add': a: expected an integer, got the string \"x\"\nb: required, but missing"
        )
    );
    assert_eq!(told[2], error("Error: no luck"));
    assert_eq!(told[3], error("Error: Tool 'explode' panicked: boom"));
    assert_eq!(told[4], ("2".to_owned(), false));
}

#[tokio::test]
async fn an_unknown_tool_of_an_empty_toolkit_is_told_so() {
    let model = ScriptedModel::new()
        .calls([("x", json!({}))])
        .text("Sorry.");
    Runner::new(model.clone(), Toolkit::new(), request())
        .run_to_completion()
        .await
        .unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(
        told,
        [(
            "Error: Tool 'x' not found. Available tools: none".to_owned(),
            true
        )]
    );
}

// RN-5.
#[tokio::test]
async fn calls_run_side_by_side_and_are_answered_in_order() {
    // Each call waits until all have begun: run one after the other, they would wait for ever.
    let barrier = Arc::new(tokio::sync::Barrier::new(3));
    let finished = Arc::new(Mutex::new(Vec::new()));
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let wait = {
        let finished = Arc::clone(&finished);
        FunctionTool::from_schema("wait", "Waits.", schema, move |input: Value| {
            let (barrier, finished) = (Arc::clone(&barrier), Arc::clone(&finished));
            async move {
                barrier.wait().await;
                let n = input["n"].as_u64().unwrap();
                for _ in n..3 {
                    tokio::task::yield_now().await;
                }
                finished.lock().unwrap().push(n);
                Ok::<_, ToolError>(n)
            }
        })
        .unwrap()
    };
    let calls = [1, 2, 3].map(|n| ("wait", json!({"n": n})));
    let model = ScriptedModel::new().calls(calls).text("Done.");
    let kit = Toolkit::new().with(wait).unwrap();
    let mut runner = Runner::new(model.clone(), kit, request());
    tokio::time::timeout(Duration::from_secs(10), runner.run_to_completion())
        .await
        .unwrap()
        .unwrap();
    let told: Vec<_> = results(&model.requests()[1].messages[2])
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(told, ["1", "2", "3"]);
    assert_eq!(
        *finished.lock().unwrap(),
        [3, 2, 1],
        "the last call finished first"
    );
}

// RN-16.
#[tokio::test]
async fn at_the_cap_the_calls_are_kept_and_a_raised_cap_runs_them_once() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, kit, request()).max_iterations(1);
    let end = runner.run_to_completion().await.unwrap();
    let Outcome::Capped { pending } = end.outcome else {
        panic!("{:?}", end.outcome)
    };
    assert_eq!(pending[0].name(), "count");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    let last = runner.messages().pop().unwrap();
    assert_eq!(
        results(&last),
        [("Error: Tool 'count' was not run yet".to_owned(), true)],
        "valid to send"
    );
    runner.set_max_iterations(5);
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Completed
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

// RN-16.
#[tokio::test]
async fn the_end_at_the_cap_is_a_natural_one() {
    let mut runner = Runner::new(
        ScriptedModel::new().text("Done."),
        Toolkit::new(),
        request(),
    )
    .max_iterations(1);
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Completed
    );
}

// RN-10.
#[tokio::test]
async fn a_failed_request_runs_no_finished_call_again() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .fails(529, "busy")
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Api, true));
    assert!(!runner.is_completed());
    assert_eq!(runner.error().and_then(haft::Error::status), Some(529));
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Done."
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert!(runner.error().is_none());
    let requests = model.requests();
    assert_eq!(
        requests[1].messages, requests[2].messages,
        "the same request is sent again"
    );
}

#[tokio::test]
async fn an_error_of_a_run_has_what_it_takes_to_go_on_elsewhere() {
    let (kit, runs) = counter();
    let script = || ScriptedModel::new().calls([("count", json!({}))]);
    let model = script().fails(529, "busy");
    let mut runner = Runner::new(model.clone(), kit.clone(), request());
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.finished_calls(), ["call_1_1"]);
    assert!(error.started_calls().is_empty());
    let stored = serde_json::to_string(error.state().unwrap()).unwrap();
    assert!(!stored.contains("busy"), "only where the run stands");
    drop(runner);

    let spare = ScriptedModel::new().text("Done.");
    let state = serde_json::from_str(&stored).unwrap();
    let mut runner = Runner::resume(spare.clone(), kit, state).unwrap();
    assert_eq!(runner.iteration_count(), 1);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.reply.text(), "Done.");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert_eq!(spare.requests()[0].messages, model.requests()[1].messages);
}

#[tokio::test]
async fn an_error_tells_the_calls_whose_effect_is_not_known() {
    let (kit, _) = counter();
    let hang = FunctionTool::from_schema("hang", "", json!({"type": "object"}), |_: Value| {
        std::future::pending::<Result<String, ToolError>>()
    });
    let kit = kit.with(hang.unwrap()).unwrap();
    let model = ScriptedModel::new().calls([("count", json!({})), ("hang", json!({}))]);
    let mut runner = Runner::new(model, kit, request());
    runner.next_message().await.unwrap();
    assert!(futures_poll_once(runner.next_message()).await.is_none());
    // Two tools of one name: the next turn fails before it looks at the calls.
    let twice = ToolDefinition::new("count", "", json!({"type": "object"})).unwrap();
    *runner.request_mut() = runner.request().clone().tool(twice);
    let error = runner.next_streaming().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert_eq!(error.started_calls(), ["call_1_2"]);
    assert_eq!(error.finished_calls(), ["call_1_1"]);
}

#[test]
fn a_state_of_another_version_says_so() {
    let runner = Runner::new(ScriptedModel::new(), Toolkit::new(), request());
    let stored = serde_json::to_string(&runner.state()).unwrap();
    let newer = stored.replacen("\"version\":1", "\"version\":2", 1);
    assert_ne!(stored, newer);
    let error = serde_json::from_str::<haft::RunState>(&newer).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a run's state of version 2, and this version of haft reads version 1"),
        "{error}"
    );
}

#[tokio::test]
async fn a_run_is_not_resumed_without_the_tools_that_it_waits_for() {
    let (kit, _) = counter();
    let model = ScriptedModel::new().calls([("count", json!({})), ("unknown", json!({}))]);
    let mut runner = Runner::new(model.clone(), kit.clone(), request());
    runner.next_message().await.unwrap();
    let error = Runner::resume(model.clone(), Toolkit::new(), runner.state()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "call `call_1_1` is pending, and no tool of the toolkit runs `count`; resume with a toolkit that has it"
    );
    // A tool that there never was is no reason: the model is told so.
    Runner::resume(model, kit, runner.state()).unwrap();
}

// RN-26, without a stream.
#[tokio::test]
async fn a_dropped_turn_keeps_results_and_repeats_no_call() {
    let runs = Arc::new(AtomicUsize::new(0));
    let schema = json!({"type": "object", "properties": {}});
    let hang = FunctionTool::from_schema("hang", "Hangs.", schema, |_: Value| async {
        std::future::pending::<()>().await;
        Ok::<_, ToolError>("never")
    });
    let kit = Toolkit::new()
        .with(counting("count", &runs))
        .unwrap()
        .with(hang.unwrap())
        .unwrap();
    let model = ScriptedModel::new()
        .calls([("count", json!({})), ("hang", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    let dropped = tokio::time::timeout(Duration::from_millis(20), runner.next_message()).await;
    assert!(dropped.is_err(), "the turn hangs");
    // A call that is run again hangs again.
    let end = tokio::time::timeout(Duration::from_secs(10), runner.run_to_completion())
        .await
        .expect("no call is run again");
    assert_eq!(end.unwrap().outcome, Outcome::Completed);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(told[0], ("counted".to_owned(), false));
    assert_eq!(
        told[1],
        (
            "Error: Tool 'hang' was interrupted; whether it took effect is unknown".to_owned(),
            true
        )
    );
}

#[tokio::test]
async fn a_call_that_was_interrupted_runs_again_if_that_changes_nothing() {
    let runs = Arc::new(AtomicUsize::new(0));
    let again = |name: &'static str| {
        let runs = Arc::clone(&runs);
        let schema = json!({"type": "object", "properties": {}});
        let tool = FunctionTool::from_schema(name, "", schema, move |_: Value| {
            let is_first = runs.fetch_add(1, Ordering::SeqCst) < 3;
            async move {
                if is_first {
                    std::future::pending::<()>().await;
                }
                Ok::<_, ToolError>("done")
            }
        });
        tool.unwrap()
    };
    let kit = Toolkit::new().with(again("reads").read_only(true)).unwrap();
    let kit = kit.with(again("sets").idempotent(true)).unwrap();
    let kit = kit.with(again("adds").read_only(false)).unwrap();
    let calls = ["reads", "sets", "adds"].map(|name| (name, json!({})));
    let model = ScriptedModel::new().calls(calls).text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    let dropped = tokio::time::timeout(Duration::from_millis(20), runner.next_message()).await;
    assert!(dropped.is_err(), "the turn hangs");
    runner.run_to_completion().await.unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(told[0], ("done".to_owned(), false));
    assert_eq!(told[1], ("done".to_owned(), false));
    assert!(told[2].1, "{told:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 5);
}

// RN-3.
#[tokio::test]
async fn a_cut_reply_runs_no_call_and_is_kept_when_the_run_goes_on() {
    let (kit, runs) = counter();
    let cut = ScriptedReply::new()
        .text("I will")
        .call("count", json!({}))
        .call("count", json!({}));
    let model = ScriptedModel::new()
        .reply(cut.stop_reason(StopReason::MaxTokens))
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    let end = runner.run_to_completion().await.unwrap();
    let Outcome::Truncated { incomplete } = end.outcome else {
        panic!("{:?}", end.outcome)
    };
    assert_eq!(incomplete.unwrap().id(), "call_1_2");
    assert_eq!(runner.messages().len(), 1, "the reply is kept apart");
    runner.append_messages([Message::user("Go on")]);
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(
        sent[1].content().len(),
        2,
        "the cut call is dropped: {sent:?}"
    );
    let told = [(
        "Error: Tool 'count' was not run: the reply was cut off".to_owned(),
        true,
    )];
    assert_eq!(results(&sent[2]), told);
    assert_eq!(sent[3].text(), "Go on");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

// RN-9.
#[tokio::test]
async fn a_refusal_runs_no_call_and_leaves_the_history() {
    let refusal = ScriptedReply::new()
        .text("I")
        .call("add", json!({"a": 1, "b": 1}))
        .stop_reason(StopReason::Refusal);
    let mut runner = Runner::new(
        ScriptedModel::new().reply(refusal),
        toolkit![add],
        request(),
    );
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        end.outcome,
        Outcome::Refused {
            details: None,
            started: Vec::new()
        }
    );
    assert_eq!(end.reply.text(), "I", "the reply is in the end");
    assert_eq!(runner.messages().len(), 1);
}

// RN-7 and T1.
#[tokio::test]
async fn a_pause_goes_on_unchanged_and_not_for_ever() {
    let pause = || {
        ScriptedReply::new()
            .text("searching")
            .stop_reason(StopReason::PauseTurn)
    };
    let model = ScriptedModel::new().reply(pause()).text("Found.");
    let mut runner = Runner::new(model.clone(), Toolkit::new(), request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Found."
    );
    assert_eq!(
        model.requests()[1].messages.last().unwrap().text(),
        "searching"
    );

    let endless = (0..20).fold(ScriptedModel::new(), |model, _| model.reply(pause()));
    let mut runner = Runner::new(endless, Toolkit::new(), request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Paused
    );
    assert_eq!(runner.iteration_count(), 11, "ten continuations");
}

#[tokio::test]
async fn calls_with_a_reason_that_does_not_fit_do_not_run() {
    for reason in [StopReason::EndTurn, StopReason::Other("out_of_ink".into())] {
        let odd = ScriptedReply::new()
            .call("add", json!({"a": 1, "b": 1}))
            .stop_reason(reason.clone());
        let model = ScriptedModel::new().reply(odd).text("Done.");
        let mut runner = Runner::new(model.clone(), toolkit![add], request());
        let end = runner.run_to_completion().await.unwrap();
        let Outcome::Unknown {
            stop_reason,
            pending,
        } = end.outcome
        else {
            panic!("{:?}", end.outcome)
        };
        assert_eq!((stop_reason, pending.len()), (reason.clone(), 1));
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
        let told = results(&model.requests()[1].messages[2]);
        assert_eq!(
            told,
            [(
                format!("Error: Tool 'add' was not run: the reply ended with {reason}"),
                true
            )]
        );
    }
}

// RN-18.
#[tokio::test]
async fn an_empty_reply_is_not_sent_back() {
    let model = ScriptedModel::new()
        .calls(add_call())
        .text("")
        .text("Hello again.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Completed
    );
    assert_eq!(runner.messages().len(), 3);
    runner.append_messages([Message::user("Are you there?")]);
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Hello again."
    );
    assert_eq!(
        model.requests()[2].messages.last().unwrap().text(),
        "Are you there?"
    );
}

// RN-5 and T5.
#[tokio::test]
async fn messages_given_while_calls_are_pending_come_after_their_results() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    runner.next_message().await.unwrap();
    runner.append_messages([Message::user("And hurry")]);
    let shown = runner.messages();
    assert_eq!(
        (results(&shown[2]).len(), shown[3].text().as_str()),
        (1, "And hurry")
    );
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(results(&sent[2]), [("5".to_owned(), false)]);
    assert_eq!(sent[3].text(), "And hurry");
}

#[tokio::test]
async fn calls_can_be_run_before_the_next_message() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(model, toolkit![add], request());
    assert!(
        runner.run_calls().await.unwrap().is_empty(),
        "nothing is pending yet"
    );
    runner.next_message().await.unwrap();
    let results = runner.run_calls().await.unwrap();
    assert_eq!(
        (results[0].name(), results[0].text().as_str()),
        ("add", "5")
    );
    assert!(
        runner.run_calls().await.unwrap().is_empty(),
        "and not twice"
    );
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Done."
    );
}

#[tokio::test]
async fn removing_the_last_reply_removes_its_calls() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    runner.request_mut().messages.pop();
    runner.request_mut().model = "another".to_owned();
    runner.run_to_completion().await.unwrap();
    let second = &model.requests()[1];
    assert_eq!(
        (second.messages.len(), second.model.as_str()),
        (1, "another")
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_edit_behind_pending_calls_does_not_lose_them() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    runner
        .request_mut()
        .messages
        .push(Message::user("And hurry"));
    assert_eq!(
        runner.messages()[2].tool_results().count(),
        1,
        "valid to send"
    );
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(
        results(&sent[2]),
        [("counted".to_owned(), false)],
        "right behind the call"
    );
    assert_eq!((sent[3].text().as_str(), sent.len()), ("And hurry", 4));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

/// A result that the program gives for a call of the first reply.
fn own_answer(runner: &Runner) -> Message {
    let reply = runner.last_message().unwrap();
    let result = haft::ToolResult::error(reply.tool_calls().next().unwrap(), "no");
    Message::new(
        Role::User,
        vec![Content::ToolResult(result), Content::text("Go on")],
    )
}

// T5.
#[tokio::test]
async fn a_call_that_the_program_has_answered_does_not_run() {
    for by_edit in [true, false] {
        let (kit, runs) = counter();
        let model = ScriptedModel::new()
            .calls([("count", json!({})), ("count", json!({}))])
            .text("Done.");
        let mut runner = Runner::new(model.clone(), kit, request());
        runner.next_message().await.unwrap();
        let answer = own_answer(&runner);
        if by_edit {
            runner.request_mut().messages.push(answer);
        } else {
            runner.append_messages([answer]);
        }
        runner.run_to_completion().await.unwrap();
        let sent = &model.requests()[1].messages;
        let told = [("no".to_owned(), true), ("counted".to_owned(), false)];
        assert_eq!(results(&sent[2]), told, "in the order of the calls");
        assert_eq!((sent[3].text().as_str(), sent.len()), ("Go on", 4));
        assert_eq!(runs.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn the_history_as_it_was_shown_can_be_put_back() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    let shown = runner.messages();
    runner.request_mut().messages = shown;
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(
        results(&sent[2]),
        [("counted".to_owned(), false)],
        "the placeholder gave way"
    );
    assert_eq!((sent.len(), runs.load(Ordering::SeqCst)), (3, 1));
}

#[tokio::test]
async fn messages_keep_their_order_when_what_they_wait_for_is_removed() {
    let pause = ScriptedReply::new()
        .text("searching")
        .stop_reason(StopReason::PauseTurn);
    for reply in [
        ScriptedReply::new().call("add", json!({"a": 1, "b": 1})),
        pause,
    ] {
        let model = ScriptedModel::new().reply(reply).text("Done.");
        let mut runner = Runner::new(model.clone(), toolkit![add], request());
        runner.next_message().await.unwrap();
        runner.append_messages([Message::user("A")]);
        runner.request_mut().messages.pop();
        runner.append_messages([Message::user("B")]);
        runner.run_to_completion().await.unwrap();
        let texts: Vec<_> = model.requests()[1]
            .messages
            .iter()
            .map(Message::text)
            .collect();
        assert_eq!(
            (texts, model.requests().len()),
            (["Go", "A", "B"].map(String::from).to_vec(), 2)
        );
    }
}

#[tokio::test]
async fn calls_that_did_not_fit_their_reason_can_be_answered() {
    let odd = ScriptedReply::new()
        .call("add", json!({"a": 1, "b": 1}))
        .stop_reason(StopReason::EndTurn);
    let model = ScriptedModel::new().reply(odd).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    runner.run_to_completion().await.unwrap();
    let answer = own_answer(&runner);
    runner.append_messages([answer]);
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(results(&sent[2]), [("no".to_owned(), true)]);
    assert_eq!(sent[3].text(), "Go on");
}

#[tokio::test]
async fn an_end_is_told_before_what_waits_is_said() {
    let pause = || {
        ScriptedReply::new()
            .text("searching")
            .stop_reason(StopReason::PauseTurn)
    };
    let refusal = ScriptedReply::new()
        .text("No")
        .stop_reason(StopReason::Refusal);
    let model = ScriptedModel::new()
        .reply(pause())
        .reply(refusal)
        .text("Fine.");
    let mut runner = Runner::new(model.clone(), Toolkit::new(), request());
    runner.next_message().await.unwrap();
    runner.append_messages([Message::user("Please")]);
    let end = runner.run_to_completion().await.unwrap();
    assert!(
        matches!(end.outcome, Outcome::Refused { .. }),
        "{:?}",
        end.outcome
    );
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Fine."
    );
    assert_eq!(
        model.requests()[2].messages.last().unwrap().text(),
        "Please"
    );

    let endless = (0..40).fold(ScriptedModel::new(), |model, _| model.reply(pause()));
    let mut runner = Runner::new(endless, Toolkit::new(), request());
    while runner.next_message().await.unwrap().is_some() {
        runner.append_messages([Message::user("Hurry")]);
    }
    assert_eq!(
        (runner.outcome(), runner.iteration_count()),
        (Some(Outcome::Paused), 11)
    );
}

#[tokio::test]
async fn a_run_whose_pending_reply_was_removed_goes_on() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(model, toolkit![add], request());
    runner.next_message().await.unwrap();
    runner.request_mut().messages.pop();
    assert_eq!((runner.messages().len(), runner.is_completed()), (1, false));
    assert!(
        runner
            .decide("call_1_1", Decision::Deny("no".into()))
            .is_err()
    );
}

#[tokio::test]
async fn the_history_is_valid_after_calls_that_do_not_fit_their_reason() {
    let odd = || {
        ScriptedReply::new()
            .call("add", json!({"a": 1, "b": 1}))
            .stop_reason(StopReason::EndTurn)
    };
    let model = ScriptedModel::new().reply(odd()).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    runner.run_to_completion().await.unwrap();
    assert_eq!(results(&runner.messages()[2]).len(), 1);
    // Without the reply, there is nothing to answer.
    runner.request_mut().messages.pop();
    runner.append_messages([Message::user("Never mind")]);
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1].messages;
    assert_eq!(
        sent.iter().map(Message::text).collect::<Vec<_>>(),
        ["Go", "Never mind"]
    );
}

#[tokio::test]
async fn going_on_after_a_cut_asks_again_without_the_reply() {
    for reason in [StopReason::MaxTokens, StopReason::ContextFull] {
        let cut = ScriptedReply::new().text("I will").stop_reason(reason);
        let model = ScriptedModel::new().reply(cut).text("Done.");
        let mut runner = Runner::new(model.clone(), Toolkit::new(), request());
        assert_ne!(
            runner.run_to_completion().await.unwrap().outcome,
            Outcome::Completed
        );
        runner.request_mut().max_tokens = Some(9000);
        assert_eq!(
            runner.run_to_completion().await.unwrap().outcome,
            Outcome::Completed
        );
        assert_eq!(model.requests()[1].messages.len(), 1);
        assert!(
            runner.next_message().await.unwrap().is_none(),
            "a completed run stays so"
        );
    }
}

#[tokio::test]
async fn a_full_context_keeps_its_reply_when_the_run_goes_on() {
    let cut = ScriptedReply::new()
        .text("I will")
        .call("add", json!({}))
        .stop_reason(StopReason::ContextFull);
    let model = ScriptedModel::new().reply(cut).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::ContextFull
    );
    runner.append_messages([Message::user("Shorter")]);
    runner.run_to_completion().await.unwrap();
    let texts: Vec<_> = model.requests()[1]
        .messages
        .iter()
        .map(Message::text)
        .collect();
    assert_eq!(texts, ["Go", "I will", "Shorter"]);
    assert_eq!(
        model.requests()[1].messages[1].content().len(),
        1,
        "the cut call is dropped"
    );
}

#[tokio::test]
async fn a_pause_that_ran_out_is_resumed_and_counted_anew() {
    let pause = || {
        ScriptedReply::new()
            .text("searching")
            .stop_reason(StopReason::PauseTurn)
    };
    let model = (0..15)
        .fold(ScriptedModel::new(), |model, _| model.reply(pause()))
        .text("Found.");
    let mut runner = Runner::new(model, Toolkit::new(), request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().outcome,
        Outcome::Paused
    );
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Found."
    );
}

#[tokio::test]
async fn a_message_given_during_a_pause_waits_for_its_end() {
    let pause = ScriptedReply::new()
        .text("searching")
        .stop_reason(StopReason::PauseTurn);
    let model = ScriptedModel::new()
        .reply(pause)
        .text("Found.")
        .text("You are welcome.");
    let mut runner = Runner::new(model.clone(), Toolkit::new(), request());
    runner.next_message().await.unwrap();
    runner.append_messages([Message::user("Thanks")]);
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "You are welcome."
    );
    let texts = |at: usize| {
        model.requests()[at]
            .messages
            .iter()
            .map(Message::text)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(1), ["Go", "searching"]);
    assert_eq!(texts(2), ["Go", "searching", "Found.", "Thanks"]);
}

#[tokio::test]
async fn a_compaction_goes_on_and_one_with_calls_does_not() {
    let compaction = || {
        ScriptedReply::new()
            .text("summary")
            .stop_reason(StopReason::Compaction)
    };
    let model = ScriptedModel::new().reply(compaction()).text("Done.");
    let mut runner = Runner::new(model, Toolkit::new(), request()).max_iterations(1);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.reply.text(), "Done.");
    let counts = (end.outcome, runner.iteration_count());
    assert_eq!(
        counts,
        (Outcome::Completed, 2),
        "it is a reply that does not count toward the limit"
    );
    let with_call = compaction().call("add", json!({"a": 1, "b": 1}));
    let mut runner = Runner::new(
        ScriptedModel::new().reply(with_call),
        toolkit![add],
        request(),
    );
    let end = runner.run_to_completion().await.unwrap();
    assert!(
        matches!(end.outcome, Outcome::Unknown { .. }),
        "{:?}",
        end.outcome
    );
    let endless = (0..20).fold(ScriptedModel::new(), |model, _| model.reply(compaction()));
    let end = Runner::new(endless, Toolkit::new(), request())
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(end.outcome, Outcome::Paused, "and not for ever");
}

#[tokio::test]
async fn a_call_that_had_not_started_runs_when_the_run_goes_on() {
    let (kit, runs) = counter();
    let calls: Vec<_> = (0..100).map(|_| ("count", json!({}))).collect();
    let model = ScriptedModel::new().calls(calls).text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    // One poll: whatever has run by then has its result, and the rest has not started.
    let polled = futures_poll_once(runner.next_message()).await;
    if polled.is_none() {
        runner.run_to_completion().await.unwrap();
    }
    assert_eq!(runs.load(Ordering::SeqCst), 100);
    assert!(
        results(&model.requests()[1].messages[2])
            .iter()
            .all(|(text, _)| text == "counted")
    );
}

/// Polls a future once, and drops it.
async fn futures_poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
        std::task::Poll::Pending => std::task::Poll::Ready(None),
    })
    .await
}

#[tokio::test]
async fn no_messages_are_no_reason_to_go_on() {
    let mut runner = Runner::new(
        ScriptedModel::new().text("Done."),
        Toolkit::new(),
        request(),
    );
    runner.run_to_completion().await.unwrap();
    runner.append_messages([]);
    assert!(runner.is_completed());
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}

#[tokio::test]
async fn a_denied_call_is_told_with_the_reason() {
    let delete = ToolDefinition::new(
        "delete",
        "Deletes.",
        json!({"type": "object", "properties": {}}),
    )
    .unwrap();
    let model = ScriptedModel::new()
        .calls([("delete", json!({}))])
        .text("Fine.");
    let mut runner = Runner::new(model.clone(), Toolkit::new(), request().tool(delete));
    runner.run_to_completion().await.unwrap();
    runner
        .decide("call_1_1", Decision::Deny("not on Fridays".into()))
        .unwrap();
    runner.run_to_completion().await.unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(
        told,
        [(
            "Error: Tool 'delete' was denied: not on Fridays".to_owned(),
            true
        )]
    );
}

/// A tool that tells what it knows of its call.
struct Curious(ToolDefinition);

impl<S> haft::Tool<S> for Curious {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: haft::Call<'a, S>) -> haft::ToolFuture<'a> {
        let context = call.context();
        let told = format!(
            "{} {} {}",
            context.call_id(),
            context.tool_name(),
            context.turn()
        );
        Box::pin(async move { Ok(ToolOutput::text(told)) })
    }
}

#[tokio::test]
async fn a_tool_knows_its_call() {
    let schema = json!({"type": "object", "properties": {}});
    let kit = Toolkit::new()
        .with(Curious(ToolDefinition::new("curious", "", schema).unwrap()))
        .unwrap();
    let model = ScriptedModel::new()
        .calls([("curious", json!({}))])
        .calls([("curious", json!({}))])
        .text("Done.");
    Runner::new(model.clone(), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    let told: Vec<_> = model.requests()[2]
        .messages
        .iter()
        .flat_map(results)
        .map(|(text, _)| text)
        .collect();
    assert_eq!(told, ["call_1_1 curious 1", "call_2_1 curious 2"]);
}

#[tokio::test]
async fn at_most_fifty_names_are_told() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = (0..60).fold(Toolkit::new(), |kit, n| {
        kit.with(counting(&format!("tool_{n}"), &runs)).unwrap()
    });
    let text = kit.call("tool_x", json!({})).await.text();
    assert_eq!(
        text.matches("tool_").count(),
        51,
        "the one that was meant, and fifty: {text}"
    );
}

#[tokio::test]
async fn a_tool_without_a_handler_suspends_the_run_until_it_is_answered() {
    let (kit, runs) = counter();
    let ask_person = ToolDefinition::new(
        "ask_person",
        "Asks.",
        json!({"type": "object", "properties": {}}),
    )
    .unwrap();
    let model = ScriptedModel::new()
        .calls([("ask_person", json!({})), ("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request().tool(ask_person));
    let end = runner.run_to_completion().await.unwrap();
    let Outcome::AwaitingApproval { calls } = end.outcome else {
        panic!("{:?}", end.outcome)
    };
    assert_eq!(
        (calls[0].id(), runs.load(Ordering::SeqCst)),
        ("call_1_1", 1),
        "the other call has run"
    );
    assert!(
        runner
            .decide("call_1_2", Decision::Deny("no".into()))
            .is_err(),
        "it does not wait"
    );
    runner
        .decide("call_1_1", Decision::Answer(ToolOutput::text("Yes.")))
        .unwrap();
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Done."
    );
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(
        told,
        [("Yes.".to_owned(), false), ("counted".to_owned(), false)]
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn two_tools_of_one_name_are_an_error_before_anything_is_sent() {
    let twin = ToolDefinition::new("add", "Adds, too.", json!({"type": "object"})).unwrap();
    let model = ScriptedModel::new().text("Hi");
    let error = Runner::new(model.clone(), toolkit![add], request().tool(twin))
        .run_to_completion()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert!(error.to_string().contains("`add`"), "{error}");
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn usage_is_summed_over_the_replies() {
    let usage = |input, output| {
        let mut usage = haft::Usage::default();
        (usage.input, usage.output) = (input, output);
        usage
    };
    let first = ScriptedReply::new()
        .call("add", json!({"a": 1, "b": 1}))
        .usage(usage(10, 5));
    let model = ScriptedModel::new()
        .reply(first)
        .reply(ScriptedReply::new().text("2").usage(usage(20, 1)));
    let end = Runner::new(model, toolkit![add], request())
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!((end.usage.input, end.usage.output), (30, 6));
}

#[tokio::test]
async fn a_script_that_is_too_short_says_so() {
    let error = Runner::new(ScriptedModel::new(), Toolkit::new(), request())
        .run_to_completion()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Script);
    assert!(error.to_string().contains("request 1"), "{error}");
}

#[tokio::test]
async fn the_test_model_calls_every_tool_once() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = toolkit![add, fail].with(counting("count", &runs)).unwrap();
    let mut runner = Runner::new(
        TestModel::new(),
        kit,
        request().tool_choice(ToolChoice::Auto),
    );
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (runner.iteration_count(), runs.load(Ordering::SeqCst)),
        (2, 1)
    );
    assert!(
        end.reply.text().contains("called add and was told: 0"),
        "{}",
        end.reply.text()
    );
    assert!(
        end.reply
            .text()
            .contains("called fail and was told: Error: no luck"),
        "{}",
        end.reply.text()
    );
}

#[tokio::test]
async fn content_of_every_kind_reaches_the_history() {
    let schema = json!({"type": "object", "properties": {}});
    let photo = FunctionTool::from_schema("photo", "Takes a photo.", schema, |_: Value| async {
        vec![
            Content::text("Here:"),
            Content::image("image/png", "iVBORw0KGgo="),
        ]
    });
    let kit = Toolkit::new().with(photo.unwrap()).unwrap();
    let model = ScriptedModel::new()
        .calls([("photo", json!({}))])
        .text("Nice.");
    Runner::new(model.clone(), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    let requests = model.requests();
    let result = requests[1].messages[2].tool_results().next().unwrap();
    assert_eq!(
        result.content(),
        [
            Content::text("Here:"),
            Content::image("image/png", "iVBORw0KGgo=")
        ]
    );
}

#[tokio::test]
async fn the_final_turn_has_the_same_tools_and_may_call_none() {
    let model = ScriptedModel::new()
        .calls(add_call())
        .text("5, so far.")
        .text("Done.");
    let choice = request().tool_choice(ToolChoice::Any);
    let mut runner = Runner::new(model.clone(), toolkit![add], choice)
        .max_iterations(1)
        .cap_policy(CapPolicy::FinalTurn);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(lines::end(&end), "end capped []");
    assert_eq!(end.reply.text(), "5, so far.");
    runner.set_max_iterations(0);
    runner.append_messages([Message::user("Go on")]);
    runner.run_to_completion().await.unwrap();
    let requests = model.requests();
    let choices: Vec<_> = requests
        .iter()
        .map(|request| request.tool_choice.clone())
        .collect();
    let (any, none) = (Some(ToolChoice::Any), Some(ToolChoice::None));
    assert_eq!(choices, [any.clone(), none, any], "and later as before");
}

// RN-16: 0 is no limit.
#[tokio::test]
async fn no_cap_is_none() {
    let model = (0..50).fold(ScriptedModel::new(), |model, _| model.calls(add_call()));
    let mut runner = Runner::new(model.text("Done."), toolkit![add], request()).max_iterations(0);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (end.outcome, runner.iteration_count()),
        (Outcome::Completed, 51)
    );
}

// RN-24.
#[tokio::test]
async fn an_edit_of_the_request_keeps_what_was_said() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![add], request());
    runner.next_message().await.unwrap();
    let request = runner.request_mut();
    request.max_tokens = Some(99);
    request.system.push(Content::text("Be brief."));
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1];
    assert_eq!((sent.max_tokens, sent.system.len()), (Some(99), 1));
    let lines = lines::history(&sent.messages);
    assert_eq!(
        lines[1..],
        [
            "assistant: call_1_1 add {\"a\":2,\"b\":3}",
            "user: call_1_1 = 5"
        ]
    );
}

/// A model of this API that writes down which container it is asked in.
#[derive(Debug)]
struct InContainer {
    model: ScriptedModel,
    api: Api,
    asked: Arc<Mutex<Vec<Option<String>>>>,
}

impl Provider for InContainer {
    fn api(&self) -> Api {
        self.api.clone()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let container = call.container().map(str::to_owned);
        self.asked.lock().unwrap().push(container);
        self.model.send(call)
    }
}

// T2, and RN-23 on the loop's side.
#[tokio::test]
async fn a_run_stays_in_its_container_as_long_as_the_provider_does() {
    let asked = Arc::default();
    let worked = |id: &str| {
        let [(name, input)] = add_call();
        ScriptedReply::new().call(name, input).container(id)
    };
    let model = ScriptedModel::new()
        .reply(worked("c1"))
        .calls(add_call())
        .reply(worked("c2"))
        .calls(add_call())
        .text("Done.");
    let of = |api| InContainer {
        model: model.clone(),
        api,
        asked: Arc::clone(&asked),
    };
    let mut runner = Runner::new(of(Api::TESTING), toolkit![add], request());
    for _ in 0..4 {
        runner.next_message().await.unwrap();
    }
    runner.set_provider(of(Api::new("another")));
    runner.run_to_completion().await.unwrap();
    let asked = asked.lock().unwrap();
    let asked: Vec<_> = asked.iter().map(Option::as_deref).collect();
    assert_eq!(asked, [None, Some("c1"), Some("c1"), Some("c2"), None]);
}

#[tokio::test]
async fn ids_may_come_again_in_a_later_reply() {
    for eager in [false, true] {
        let (kit, runs) = counter();
        let calls = || vec![told::call("1", "count"), Content::text("And")];
        let model = Told::new([
            told::reply(calls(), StopReason::ToolUse),
            told::reply(calls(), StopReason::ToolUse),
            told::reply(vec![Content::text("Done.")], StopReason::EndTurn),
        ]);
        let mut runner = Runner::new(model, kit, request()).eager(eager);
        let events: Vec<_> = runner.all_streaming().collect().await;
        assert!(events.iter().all(Result::is_ok), "{events:?}");
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        let lines = lines::history(&runner.messages());
        assert_eq!(
            [&lines[2], &lines[4]],
            ["user: 1 = counted", "user: 1 = counted"]
        );
    }
}

// RN-29.
#[tokio::test]
async fn ids_that_are_twice_in_one_reply_are_an_error_before_anything_runs() {
    let (kit, runs) = counter();
    let twice = vec![told::call("1", "count"), told::call("1", "count")];
    let model = Told::new([told::reply(twice, StopReason::ToolUse)]);
    let mut runner = Runner::new(model, kit, request());
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(
        error
            .to_string()
            .starts_with("two calls of the reply have the same id"),
        "{error}"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    assert_eq!(runner.messages().len(), 1, "and the run can go on");
}

// RN-18.
#[tokio::test]
async fn a_tool_may_say_nothing() {
    /// Says nothing.
    #[tool]
    async fn silent() -> &'static str {
        ""
    }
    /// Has nothing to say.
    #[tool]
    async fn nothing() {}
    let model = ScriptedModel::new()
        .calls([("silent", json!({})), ("nothing", json!({}))])
        .text("Done.");
    Runner::new(model.clone(), toolkit![silent, nothing], request())
        .run_to_completion()
        .await
        .unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(told, [(String::new(), false), (String::new(), false)]);
}

#[tokio::test]
async fn progress_that_nobody_follows_is_of_no_effect() {
    /// Tells how far it is.
    #[tool]
    async fn steps(call: &haft::CallContext) -> &'static str {
        call.progress("half");
        "all"
    }
    let model = ScriptedModel::new()
        .calls([("steps", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    runner.run_to_completion().await.unwrap();
    assert_eq!(results(&runner.messages()[2]), [("all".to_owned(), false)]);
}

#[tokio::test]
async fn a_call_before_the_last_block_of_a_cut_reply_is_whole() {
    for is_eager in [false, true] {
        let (kit, runs) = counter();
        let cut = ScriptedReply::new()
            .call("count", json!({}))
            .thinking("And then")
            .stop_reason(StopReason::MaxTokens);
        let model = ScriptedModel::new().reply(cut).text("Done.");
        let mut runner = Runner::new(model.clone(), kit, request()).eager(is_eager);
        let events: Vec<_> = runner.all_streaming().collect().await;
        let Some(Ok(haft::Event::End(end))) = events.last() else {
            panic!("{events:?}")
        };
        assert_eq!(end.outcome, Outcome::Truncated { incomplete: None });
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
        let told = match is_eager {
            true => ("counted".to_owned(), false),
            false => (
                "Error: Tool 'count' was not run: the reply was cut off".to_owned(),
                true,
            ),
        };
        assert_eq!(results(&model.requests()[1].messages[2]), [told]);
        assert_eq!(runs.load(Ordering::SeqCst), usize::from(is_eager));
    }
}

#[tokio::test]
async fn a_streamed_turn_sees_an_answer_that_was_put_into_the_history() {
    let schema = json!({"type": "object"});
    let person = ToolDefinition::new("person", "Asks.", schema).unwrap();
    let model = ScriptedModel::new()
        .calls([("person", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, Toolkit::new(), request().tool(person));
    runner.run_to_completion().await.unwrap();
    let answer = own_answer(&runner);
    runner.request_mut().messages.push(answer);
    let turn = runner.next_streaming().await.unwrap();
    let reply = turn.expect("it goes on").into_reply().await.unwrap();
    assert_eq!(reply.unwrap().text(), "Done.");
}

/// A hook that never comes to an end with a result.
struct Brooding;

impl haft::Hook for Brooding {
    fn after_call<'a>(
        &'a self,
        _: haft::HookCall<'a>,
        _: &'a haft::ToolResult,
    ) -> haft::HookFuture<'a, Option<ToolOutput>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_call_whose_result_waits_for_a_hook_is_not_pending() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = Toolkit::new().with(counting("slow", &runs)).unwrap();
    let model = ScriptedModel::new().calls([("slow", json!({}))]);
    let mut runner = Runner::new(model, kit, request()).hook(Brooding);
    runner.next_message().await.unwrap();
    for _ in 0..5 {
        drop(futures_poll_once(runner.run_calls()).await);
    }
    runner.set_max_iterations(1);
    let pending = Vec::new();
    assert_eq!(runner.outcome(), Some(Outcome::Capped { pending }));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_call_after_one_that_was_given_up_has_another_turn() {
    let schema = json!({"type": "object"});
    let definition = ToolDefinition::new("curious", "", schema).unwrap();
    let kit = Toolkit::new().with(Curious(definition)).unwrap();
    let call = || ScriptedReply::new().call("curious", json!({}));
    let model = ScriptedModel::new()
        .reply(call().text("So").set_aside().breaks())
        .reply(call())
        .text("Done.");
    let mut runner = Runner::new(model.clone(), kit, request()).eager(true);
    let events: Vec<_> = runner.all_streaming().collect().await;
    assert!(events.last().unwrap().is_err());
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.abandoned.len(), 1, "it had the first turn");
    let told = results(&model.requests()[2].messages[2]);
    assert_eq!(told, [("call_2_1 curious 2".to_owned(), false)]);
}

#[tokio::test]
async fn a_call_that_was_not_run_has_not_failed() {
    let (kit, runs) = counter();
    let cut = ScriptedReply::new()
        .call("count", json!({}))
        .call("count", json!({"n": 2}))
        .breaks();
    let model = ScriptedModel::new().reply(cut).text("Done.");
    let mut runner = Runner::new(model, kit, request())
        .eager(true)
        .stop_after_repeats(1);
    let events: Vec<_> = runner.all_streaming().collect().await;
    assert!(events.last().unwrap().is_err());
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}
