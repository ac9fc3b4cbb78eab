//! Calls of a reply: they run side by side, and whatever they come to is told in order.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft::serde_json::{Value, json};
use haft::testing::ScriptedModel;
use haft::{
    FunctionTool, Message, Outcome, Role, Runner, StopReason, StreamExt, ToolError, Toolkit,
    toolkit,
};
use haft_tests::over;

use crate::{add, add_call, explode, fail, request, results};

#[tokio::test]
async fn calls_run_and_their_results_are_sent() {
    let model = ScriptedModel::new().calls(add_call()).text("It is 5.");
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model), toolkit![add], request());
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
    let mut runner = Runner::new(over::model(model), Toolkit::new(), request());
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
    let mut runner = Runner::new(
        over::model(model.clone()),
        toolkit![add, fail, explode],
        request(),
    );
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
    Runner::new(over::model(model.clone()), Toolkit::new(), request())
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
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
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
