//! Replies that break, and what the run is then: nothing is asked twice that was told, and no call runs twice.

use haft::serde_json::{Value, json};
use haft::{ErrorKind, Message, StreamExt};
use haft_tests::lines::event;
use haft_tests::message_stream::frames;
use haft_tests::server::ServerReply;

use crate::case::{Case, Mode, call, done, text};
use crate::events::{begin, last, overloaded, start, stop, stream, words};

#[tokio::test]
async fn rn_10_a_request_that_fails_runs_no_finished_call_again() {
    for mode in Mode::ALL {
        let failed = || {
            let error =
                json!({"type": "error", "error": {"type": "api_error", "message": "broken"}});
            ServerReply::json(500, &error).header("retry-after-ms", "1")
        };
        let charge = mode.reply(&json!([call("t1", "charge")]), "tool_use");
        let replies = vec![charge, failed(), failed(), failed(), mode.says("Done.")];
        let mut case = Case::with_tools(mode, &["charge"], replies).await;
        let error = case.run().await.unwrap_err();
        assert_eq!(error.status(), Some(500), "{mode:?}");
        assert_eq!(error.finished_calls(), ["t1"]);
        assert_eq!(case.bodies().len(), 4, "two retries");
        assert_eq!(case.run().await.unwrap().reply.text(), "Done.");
        assert_eq!(case.calls.names(), ["charge"], "once");
        assert_eq!(case.bytes(4), case.bytes(1), "the same request again");
        let messages = case.messages(4);
        assert_eq!(messages[2]["content"], json!([done("t1")]));
        assert_eq!(messages.len(), 3);
    }
}

/// What comes before the end of a stream that ends too early.
fn told_in_part() -> Vec<Value> {
    vec![
        begin(),
        start(0, &text("")),
        words(0, "He"),
        words(0, "llo"),
    ]
}

/// The stream ends there, in order or not.
fn cut_there() -> [(ServerReply, ErrorKind); 2] {
    let frames = frames(&told_in_part());
    let broken = ServerReply::cut(frames.clone()).header("content-type", "text/event-stream");
    [
        (ServerReply::sse(frames), ErrorKind::Protocol),
        (broken, ErrorKind::Connection),
    ]
}

#[tokio::test]
async fn rn_11_a_stream_that_is_cut_before_its_stop_reason_is_an_error() {
    let mode = Mode::Streamed;
    for (cut, kind) in cut_there() {
        let mut case = Case::start(mode, vec![cut, mode.says("Hello!")]).await;
        let error = case.run().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.is_retryable());
        assert_eq!(error.partial_reply().unwrap().text(), "Hello");
        assert_eq!(case.runner.messages(), [Message::user("Go")]);
        assert_eq!(
            case.bodies().len(),
            1,
            "what was told is not asked for again"
        );
        assert_eq!(case.run().await.unwrap().reply.text(), "Hello!");
        assert_eq!(case.messages(1), case.messages(0));
    }
}

/// What differs from the bare rule: where nothing was told, the program does not see the cut.
#[tokio::test]
async fn rn_11_a_reply_that_nobody_has_seen_is_asked_for_again() {
    let mode = Mode::Folded;
    for (cut, _) in cut_there() {
        let mut case = Case::start(mode, vec![cut, mode.says("Hello!")]).await;
        assert_eq!(case.run().await.unwrap().reply.text(), "Hello!");
        assert_eq!(case.bodies().len(), 2);
    }
}

#[tokio::test]
async fn rn_11_a_stream_that_is_cut_behind_its_stop_reason_is_accepted() {
    for mode in Mode::STREAMS {
        let mut events = told_in_part();
        events.extend([stop(0), last("end_turn")]);
        let frames = frames(&events);
        let broken = ServerReply::cut(frames.clone()).header("content-type", "text/event-stream");
        for end in [ServerReply::sse(frames), broken] {
            let mut case = Case::start(mode, vec![end]).await;
            assert_eq!(case.run().await.unwrap().reply.text(), "Hello", "{mode:?}");
            assert_eq!(case.runner.messages().len(), 2);
        }
    }
}

/// As an error of its own, or where the reply would be.
fn busy(mode: Mode) -> Vec<ServerReply> {
    let status = ServerReply::json(529, &overloaded());
    let instead = match mode {
        Mode::Plain => ServerReply::json(200, &overloaded()),
        Mode::Streamed | Mode::Folded => stream(&[overloaded()]),
    };
    let begun = stream(&[begin(), overloaded()]);
    let replies = match mode {
        Mode::Plain => vec![status, instead],
        Mode::Streamed | Mode::Folded => vec![status, instead, begun],
    };
    let soon = |reply: ServerReply| reply.header("retry-after-ms", "1");
    replies.into_iter().map(soon).collect()
}

#[tokio::test]
async fn rn_12_an_overloaded_server_is_asked_again_before_anything_is_told() {
    for mode in Mode::ALL {
        for failure in busy(mode) {
            let mut case = Case::start(mode, vec![failure, mode.says("Hello!")]).await;
            assert_eq!(case.run().await.unwrap().reply.text(), "Hello!", "{mode:?}");
            assert_eq!(case.bodies().len(), 2);
        }
    }
}

#[tokio::test]
async fn rn_12_the_program_sees_nothing_of_another_try() {
    let mode = Mode::Streamed;
    for failure in busy(mode) {
        let mut case = Case::start(mode, vec![failure, mode.says("Hello!")]).await;
        let events: Vec<_> = case
            .runner
            .all_streaming()
            .map(Result::unwrap)
            .collect()
            .await;
        let told: Vec<_> = events.iter().map(event).collect();
        let said = ["text \"He\"", "text \"ll\"", "text \"o!\""];
        assert_eq!(told[..3], said);
        assert_eq!(told[3..], ["reply \"Hello!\"", "end completed"]);
    }
}

#[tokio::test]
async fn rn_12_an_error_behind_content_is_told_and_runs_nothing() {
    let mode = Mode::Streamed;
    let said = [begin(), start(0, &text("")), words(0, "I"), stop(0)];
    let called = [start(1, &call("t1", "now")), stop(1), overloaded()];
    let broken = stream(&[&said[..], &called].concat());
    let mut case = Case::start(mode, vec![broken, mode.says("Hello!")]).await;
    let error = case.run().await.unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Api, true));
    assert!(error.to_string().contains("overloaded_error"), "{error}");
    assert_eq!(error.provider_message(), Some("Overloaded"));
    assert_eq!(case.bodies().len(), 1);
    assert!(case.calls.names().is_empty());
    assert_eq!(case.runner.messages(), [Message::user("Go")]);
}

#[tokio::test]
async fn a_stream_without_an_event_says_how_it_came() {
    let packed = || {
        ServerReply::raw(200, "text/event-stream", vec![0x1f, 0x8b, 8, 0])
            .header("content-encoding", "gzip")
            .header("retry-after-ms", "1")
    };
    let replies = vec![packed(), packed(), packed()];
    let mut case = Case::start(Mode::Streamed, replies).await;
    let error = case.run().await.unwrap_err();
    assert!(
        error.to_string().starts_with(
            "the server's stream has no event of the Messages API (text/event-stream, gzip, status 200 OK)"
        ),
        "{error}"
    );
    assert_eq!(
        (error.kind(), error.is_retryable()),
        (ErrorKind::Protocol, true)
    );
}
