//! How an ended run goes on.

use std::sync::atomic::Ordering;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Decision, Message, Outcome, Runner, StopReason, Toolkit, toolkit};
use haft_tests::over;

use crate::{add, add_call, counter, poll_once, request, results};

#[tokio::test]
async fn a_run_whose_pending_reply_was_removed_goes_on() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
        let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request());
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
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model), Toolkit::new(), request());
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
    let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request());
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
    let mut runner = Runner::new(over::model(model), Toolkit::new(), request()).max_iterations(1);
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
        over::model(ScriptedModel::new().reply(with_call)),
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
    let end = Runner::new(over::model(endless), Toolkit::new(), request())
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(end.outcome, Outcome::Paused, "and not for ever");
}

#[tokio::test]
async fn a_call_that_had_not_started_runs_when_the_run_goes_on() {
    let (kit, runs) = counter();
    let calls: Vec<_> = (0..100).map(|_| ("count", json!({}))).collect();
    // Once more, for a request that was on its way when the turn was dropped.
    let model = ScriptedModel::new()
        .calls(calls)
        .text("Done.")
        .text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    runner.next_message().await.unwrap();
    // One poll: whatever has run by then has its result, and the rest has not started.
    let polled = poll_once(runner.next_message()).await;
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

#[tokio::test]
async fn no_messages_are_no_reason_to_go_on() {
    let mut runner = Runner::new(
        over::model(ScriptedModel::new().text("Done.")),
        Toolkit::new(),
        request(),
    );
    runner.run_to_completion().await.unwrap();
    runner.append_messages([]);
    assert!(runner.is_completed());
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}
