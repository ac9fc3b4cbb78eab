//! Runs that stop in the middle: at the cap, by an error, dropped; and how they go on, in this process or the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use haft::serde_json::{self, Value, json};
use haft::testing::ScriptedModel;
use haft::{ErrorKind, FunctionTool, Outcome, Runner, ToolDefinition, ToolError, Toolkit};
use haft_tests::over;

use crate::{counter, counting, poll_once, request, results};

// RN-16.
#[tokio::test]
async fn at_the_cap_the_calls_are_kept_and_a_raised_cap_runs_them_once() {
    let (kit, runs) = counter();
    let model = ScriptedModel::new()
        .calls([("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request()).max_iterations(1);
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
        over::model(ScriptedModel::new().text("Done.")),
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit.clone(), request());
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.finished_calls(), ["call_1_1"]);
    assert!(error.started_calls().is_empty());
    let stored = serde_json::to_string(error.state().unwrap()).unwrap();
    assert!(!stored.contains("busy"), "only where the run stands");
    drop(runner);

    let spare = ScriptedModel::new().text("Done.");
    let state = serde_json::from_str(&stored).unwrap();
    let mut runner = Runner::resume(over::model(spare.clone()), kit, state).unwrap();
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
    let mut runner = Runner::new(over::model(model), kit, request());
    runner.next_message().await.unwrap();
    assert!(poll_once(runner.next_message()).await.is_none());
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
    let runner = Runner::new(over::model(ScriptedModel::new()), Toolkit::new(), request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit.clone(), request());
    runner.next_message().await.unwrap();
    let error =
        Runner::resume(over::model(model.clone()), Toolkit::new(), runner.state()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "call `call_1_1` is pending, and no tool of the toolkit runs `count`; resume with a toolkit that has it"
    );
    // A tool that there never was is no reason: the model is told so.
    Runner::resume(over::model(model), kit, runner.state()).unwrap();
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
