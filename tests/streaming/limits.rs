//! What counts, what cannot be offered, and where a stream can go.

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{ErrorKind, Runner, StopReason, Toolkit, toolkit};
use haft_tests::lines::request;
use haft_tests::over;
use haft_tests::told::{self, Told};
use tokio::time::timeout;

use crate::{MS_100, heard, steps, usage, varied};

#[tokio::test(start_paused = true)]
async fn the_tokens_of_streams_that_did_not_end_count() {
    let reply = || ScriptedReply::new().text("Hello").usage(usage(10, 5));
    let model = ScriptedModel::new()
        .reply(reply().breaks())
        .reply(reply().wait(Duration::from_secs(9)))
        .reply(reply());
    let mut runner = Runner::new(over::model(model), Toolkit::new(), request());
    heard(runner.all_streaming()).await;
    // Of a reply that broke, what was told of it by then.
    let begun = over::tokens_at_the_begin(10);
    assert_eq!((runner.usage().input, runner.usage().output), (begun, 0));
    timeout(MS_100, heard(runner.all_streaming()))
        .await
        .unwrap_err();
    assert_eq!(
        (runner.usage().input, runner.usage().output),
        (2 * begun, 0)
    );
    // What is told while a reply arrives is its account so far, and not more of it.
    heard(runner.all_streaming()).await;
    assert_eq!(
        (runner.usage().input, runner.usage().output),
        (2 * begun + 10, 5)
    );
}

#[tokio::test]
async fn tools_that_cannot_be_offered_are_an_error_before_the_stream() {
    let twin = haft::ToolDefinition::new("steps", "", json!({"type": "object"})).unwrap();
    let model = ScriptedModel::new().text("Hi");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request().tool(twin));
    let error = runner.next_streaming().await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert_eq!(heard(runner.all_streaming()).await, ["error Definition"]);
}

#[tokio::test]
async fn a_stream_can_go_to_another_task() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    let follow = async move { heard(runner.all_streaming()).await.len() };
    assert_eq!(tokio::spawn(follow).await.unwrap(), 12);
}

#[tokio::test]
async fn a_reply_without_blocks_is_told_all_the_same() {
    let empty = told::whole(Vec::new(), StopReason::EndTurn);
    let mut runner = Runner::new(
        over::model(Told::new([vec![empty]])),
        Toolkit::new(),
        request(),
    );
    assert_eq!(
        heard(runner.all_streaming()).await,
        ["reply \"\"", "end completed"]
    );
    assert_eq!(runner.messages().len(), 1);
}
