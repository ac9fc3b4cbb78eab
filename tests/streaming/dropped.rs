//! Streams that end early: dropped, failed, begun anew.

use std::pin::Pin;
use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Content, ErrorKind, Event, Outcome, Runner, StopReason, Stream, StreamEvent, StreamExt, Toolkit,
};
use haft_tests::lines::{self, history, request};
use haft_tests::log::Log;
use haft_tests::over;
use haft_tests::told::{self, Told};
use tokio::time::timeout;

use crate::events::WHOLE_RUN;
use crate::{MS_100, heard};

fn two_calls() -> Told {
    let calls = vec![
        Content::text("Look"),
        told::call("1", "a"),
        told::call("2", "b"),
    ];
    Told::new([
        told::reply(calls, StopReason::ToolUse),
        told::reply(vec![Content::text("Done.")], StopReason::EndTurn),
    ])
}

// RN-26.
#[tokio::test]
async fn a_stream_may_be_dropped_after_any_event() {
    let log = Log::new();
    let mut whole = Runner::new(
        over::model(two_calls()),
        log.toolkit(&["a", "b"]).unwrap(),
        request(),
    );
    let all = heard(whole.all_streaming()).await;
    assert_eq!(all.len(), 13, "{all:?}");
    for taken in 0..=all.len() {
        let log = Log::new();
        let mut runner = Runner::new(
            over::model(two_calls()),
            log.toolkit(&["a", "b"]).unwrap(),
            request(),
        );
        let seen: Vec<_> = {
            let events = runner.all_streaming();
            events
                .take(taken)
                .map(|event| event.unwrap())
                .collect()
                .await
        };
        // A reply that was not told was not received, and one that was is.
        let replies = seen
            .iter()
            .filter(|event| matches!(event, Event::Reply(_)))
            .count();
        assert_eq!(runner.iteration_count(), replies, "after {taken}");
        let shown = history(&runner.messages());
        let is_before_the_turn = match replies {
            0 => shown == WHOLE_RUN[..1],
            1 => shown[..2] == WHOLE_RUN[..2] && shown.len() == 3,
            _ => shown == WHOLE_RUN,
        };
        assert!(is_before_the_turn, "after {taken}: {shown:?}");
        // What was told as finished is there.
        for event in &seen {
            if let Event::ToolFinished(result) = event {
                let told = format!("{} = {}", result.call_id(), result.text());
                assert!(shown[2].contains(&told), "after {taken}: {shown:?}");
            }
        }
        heard(runner.all_streaming()).await;
        let mut ended = history(&runner.messages());
        if log.count("+b") == 0 {
            // It was about to start when the stream was dropped.
            let interrupted = "Error: Tool 'b' was interrupted; whether it took effect is unknown";
            ended[2] = ended[2].replace(interrupted, "b done");
        }
        assert_eq!(ended, WHOLE_RUN, "after {taken}");
        assert!(
            log.count("+a") == 1 && log.count("+b") <= 1,
            "after {taken}"
        );
    }
}

#[tokio::test]
async fn an_eager_stream_may_be_dropped_after_any_event() {
    let script = || {
        let first = ScriptedReply::new().call("a", json!({}));
        let calls = over::and(first).call("b", json!({}));
        ScriptedModel::new()
            .reply(calls)
            .text("Done.")
            .text("Done.")
    };
    let mut whole = Runner::new(
        over::model(script()),
        Log::new().toolkit(&["a", "b"]).unwrap(),
        request(),
    );
    let all = heard(eager_stream(&mut whole)).await;
    for taken in 0..=all.len() {
        let log = Log::new();
        let mut runner = Runner::new(
            over::model(script()),
            log.toolkit(&["a", "b"]).unwrap(),
            request(),
        );
        let seen: Vec<_> = {
            let events = eager_stream(&mut runner);
            events
                .take(taken)
                .map(|event| event.unwrap())
                .collect()
                .await
        };
        let has_reply = seen.iter().any(|event| matches!(event, Event::Reply(_)));
        heard(runner.all_streaming()).await;
        let history = history(&runner.messages()).join("\n");
        for (name, id) in [("a", "call_1_1"), ("b", "call_1_2")] {
            let runs = log.count(&format!("+{name}"));
            let results = history.matches(&format!("{id} = {name} done")).count();
            assert_eq!(runs, results, "{name} after {taken}: {history}");
            assert!(
                runs <= 1 && (runs == 1 || !has_reply),
                "{name} after {taken}: {history}"
            );
        }
        assert_eq!(runner.outcome(), Some(Outcome::Completed));
    }
}

/// The events of a run whose calls start early.
fn eager_stream(runner: &mut Runner) -> impl Stream<Item = Result<Event, haft::Error>> + Unpin {
    runner.set_eager(true);
    runner.all_streaming()
}

#[tokio::test(start_paused = true)]
async fn results_that_were_there_stay_when_a_turn_is_dropped() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let kit = kit
        .with(log.tool("slow", Duration::from_secs(9)).unwrap())
        .unwrap();
    let model = ScriptedModel::new()
        .calls([("a", json!({})), ("slow", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    runner.next_message().await.unwrap();
    {
        let mut turn = runner.next_streaming().await.unwrap().unwrap();
        let all = async { while turn.next().await.is_some() {} };
        assert!(timeout(MS_100, all).await.is_err());
    }
    heard(runner.all_streaming()).await;
    let sent = history(&model.requests()[1].messages);
    let results = "user: call_1_1 = a done \
        + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown";
    assert_eq!(sent[2], results);
    assert_eq!(log.lines(), ["+a", "-a", "+slow"]);
}

// RN-28, and RN-11 a on the loop's side.
#[tokio::test]
async fn a_stream_that_fails_ends_and_the_run_can_go_on() {
    for all in [true, false] {
        let broken = ScriptedReply::new().text("Hello").breaks();
        let model = ScriptedModel::new().reply(broken).text("Hello!");
        let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request());
        let mut events: Pin<Box<dyn Stream<Item = _>>> = if all {
            Box::pin(runner.all_streaming())
        } else {
            Box::pin(runner.next_streaming().await.unwrap().unwrap())
        };
        assert_eq!(
            events.next().await.unwrap().unwrap(),
            Event::Text("Hello".into())
        );
        let error = events.next().await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connection);
        assert!(events.next().await.is_none());
        assert!(events.next().await.is_none(), "and stays at its end");
        drop(events);
        assert_eq!(
            runner.error().map(haft::Error::kind),
            Some(ErrorKind::Connection)
        );
        assert_eq!((runner.messages().len(), runner.iteration_count()), (1, 0));
        let expected = ["text \"Hello!\"", "reply \"Hello!\"", "end completed"];
        assert_eq!(heard(runner.all_streaming()).await, expected);
        assert!(runner.error().is_none());
        assert_eq!(model.requests()[0].messages, model.requests()[1].messages);
    }
}

#[tokio::test]
async fn a_stream_that_ends_without_a_reply_is_an_error() {
    let cut = vec![
        told::begins(0, Content::text("")),
        StreamEvent::TextDelta {
            index: 0,
            text: "Hm.".to_owned(),
        },
        told::ends(0, Content::text("Hm.")),
    ];
    let mut runner = Runner::new(over::model(Told::new([cut])), Toolkit::new(), request());
    let expected = ["text \"Hm.\"", "error Protocol"];
    assert_eq!(heard(runner.all_streaming()).await, expected);
}

#[tokio::test]
async fn a_reply_that_begins_anew_voids_what_was_told() {
    let mut events = told::reply(
        vec![told::call("1", "a"), Content::text("A")],
        StopReason::ToolUse,
    );
    events.pop();
    events.push(StreamEvent::Restart);
    let again = vec![told::call("1", "b"), Content::text("B")];
    events.extend(told::reply(again, StopReason::ToolUse));
    let done = told::reply(vec![Content::text("Done.")], StopReason::EndTurn);
    let log = Log::new();
    let model = Told::new([events, done]);
    let mut runner = Runner::new(
        over::model(model),
        log.toolkit(&["a", "b"]).unwrap(),
        request(),
    );
    let told = heard(eager_stream(&mut runner)).await;
    let at = told.iter().position(|event| event == "restarted").unwrap();
    assert!(told[..at].contains(&"text \"A\"".to_owned()), "{told:?}");
    let expected = [
        "user: Go",
        "assistant: 1 b {} + B",
        "user: 1 = b done",
        "assistant: Done.",
    ];
    assert_eq!(history(&runner.messages()), expected);
    // It had begun: no answer can be given, but it is told.
    assert_eq!(log.count("+a"), 1);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(lines::ids(&end.abandoned), "1");
    assert_eq!(end.abandoned[0].name(), "a");
}

#[tokio::test]
async fn a_call_behind_a_block_that_is_not_whole_does_not_start_early() {
    let content = [Content::text("A"), told::call("1", "a"), Content::text("B")];
    // The first block is still open when the call is whole.
    let events = vec![
        told::begins(0, Content::text("")),
        told::begins(1, content[1].clone()),
        told::ends(1, content[1].clone()),
        told::begins(2, Content::text("")),
    ];
    let log = Log::new();
    let mut runner = Runner::new(
        over::model(Told::new([events])),
        log.toolkit(&["a"]).unwrap(),
        request(),
    );
    assert_eq!(
        heard(eager_stream(&mut runner)).await.last().unwrap(),
        "error Protocol"
    );
    // Else it would have run, and its reply could not be kept.
    assert_eq!(log.lines(), Vec::<String>::new());
    assert_eq!(runner.messages().len(), 1);
}
