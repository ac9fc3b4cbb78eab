//! What each end of a reply leads to.

use std::sync::atomic::Ordering;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Message, Outcome, Runner, StopReason, Toolkit, toolkit};
use haft_tests::over;

use crate::{add, add_call, counter, request, results};

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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
        over::model(ScriptedModel::new().reply(refusal)),
        toolkit![add],
        request(),
    );
    let end = runner.run_to_completion().await.unwrap();
    // What an API says of the reason is as in the reply.
    let details = end.reply.refusal().cloned();
    assert!(details.is_none() || over::api().is_some());
    let started = Vec::new();
    assert_eq!(end.outcome, Outcome::Refused { details, started });
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
    let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request());
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Found."
    );
    assert_eq!(
        model.requests()[1].messages.last().unwrap().text(),
        "searching"
    );

    let endless = (0..20).fold(ScriptedModel::new(), |model, _| model.reply(pause()));
    let mut runner = Runner::new(over::model(endless), Toolkit::new(), request());
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
        let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
