//! What the program says, edits and answers while a run goes on.

use std::sync::atomic::Ordering;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Content, Message, Outcome, Role, Runner, StopReason, Toolkit, toolkit};
use haft_tests::over;

use crate::{add, add_call, counter, request, results};

// RN-5 and T5.
#[tokio::test]
async fn messages_given_while_calls_are_pending_come_after_their_results() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
pub(crate) fn own_answer(runner: &Runner) -> Message {
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
        let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
        let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request());
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
    let mut runner = Runner::new(over::model(endless), Toolkit::new(), request());
    while runner.next_message().await.unwrap().is_some() {
        runner.append_messages([Message::user("Hurry")]);
    }
    assert_eq!(
        (runner.outcome(), runner.iteration_count()),
        (Some(Outcome::Paused), 11)
    );
}
