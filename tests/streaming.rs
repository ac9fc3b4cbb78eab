//! A run as a stream: what is told and when, what a stream leaves that ends early, and calls that start early.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::pin::Pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CallContext, Content, ErrorKind, Event, ModelCall, Outcome, Provider, ReplyStream, Runner,
    StopReason, Stream, StreamEvent, StreamExt, Toolkit, Usage, tool, toolkit,
};
use haft_tests::lines::{self, history, request};
use haft_tests::log::Log;
use haft_tests::told::{self, Told};
use tokio::time::{Instant, timeout};

/// Tells that it is half done.
#[tool]
async fn steps(call: &CallContext) -> &'static str {
    call.progress("half");
    "all"
}

const MS_100: Duration = Duration::from_millis(100);
const MS_300: Duration = Duration::from_millis(300);

fn usage(input: u64, output: u64) -> Usage {
    let mut usage = Usage::default();
    (usage.input, usage.output) = (input, output);
    usage
}

/// All that a stream tells; an error as its kind.
async fn told(stream: impl Stream<Item = Result<Event, haft::Error>>) -> Vec<String> {
    let line = |event: Result<Event, haft::Error>| match event {
        Ok(event) => lines::event(&event),
        Err(error) => format!("error {:?}", error.kind()),
    };
    stream.map(line).collect().await
}

/// A reply that has some of everything.
fn varied() -> ScriptedReply {
    ScriptedReply::new()
        .thinking("Hm.")
        .text("Let me")
        .call("steps", json!({}))
}

#[tokio::test]
async fn a_run_is_told_as_it_happens() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    let expected = [
        "thinking \"Hm.\"",
        "text \"Let \"",
        "text \"me\"",
        "call call_1_1 steps",
        "input call_1_1 {}",
        "reply \"Let me\"",
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
        "end completed",
    ];
    assert_eq!(told(runner.all_streaming()).await, expected);
    assert_eq!(told(runner.all_streaming()).await, ["end completed"]);
}

#[tokio::test]
async fn a_turn_begins_with_the_calls_of_the_last_reply_and_ends_with_its_own() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    let mut turns = Vec::new();
    while let Some(turn) = runner.next_streaming().await.unwrap() {
        turns.push(told(turn).await);
    }
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0].last().unwrap(), "reply \"Let me\"");
    let second = [
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
    ];
    assert_eq!(turns[1], second);
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}

#[tokio::test]
async fn what_failed_is_told_as_finished() {
    let model = ScriptedModel::new()
        .calls([("nothing", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    let events = told(runner.all_streaming()).await;
    let finished = "finished call_1_1 Error: Tool 'nothing' not found. Available tools: steps";
    assert!(events.iter().any(|event| event == finished), "{events:?}");
}

#[tokio::test]
async fn a_stream_does_nothing_before_it_is_asked() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(model.clone(), toolkit![steps], request());
    drop(runner.next_streaming().await.unwrap());
    drop(runner.all_streaming());
    assert!(model.requests().is_empty());
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        if let Event::Reply(_) = event.unwrap() {
            break;
        }
    }
    // However long the program looks at the reply.
    tokio::task::yield_now().await;
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn the_reply_of_a_turn_can_be_waited_for() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    let turn = runner.next_streaming().await.unwrap().unwrap();
    assert_eq!(turn.into_reply().await.unwrap().unwrap().text(), "Let me");
    let broken = ScriptedModel::new().reply(varied().breaks());
    let mut runner = Runner::new(broken, toolkit![steps], request());
    let turn = runner.next_streaming().await.unwrap().unwrap();
    assert_eq!(
        turn.into_reply().await.unwrap_err().kind(),
        ErrorKind::Connection
    );
}

/// A model that gives its replies whole.
#[derive(Debug)]
struct Whole(ScriptedModel);

impl Provider for Whole {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::from_future(self.0.send(call).into_reply())
    }
}

#[tokio::test]
async fn a_provider_that_does_not_stream_is_told_block_by_block() {
    let model = Whole(ScriptedModel::new().reply(varied()).text("Done."));
    let mut runner = Runner::new(model, toolkit![steps], request()).eager(true);
    let expected = [
        "thinking \"Hm.\"",
        "text \"Let me\"",
        "call call_1_1 steps",
        "input call_1_1 {}",
        "reply \"Let me\"",
        "started call_1_1 {}",
        "progress call_1_1 half",
        "finished call_1_1 all",
        "text \"Done.\"",
        "reply \"Done.\"",
        "end completed",
    ];
    assert_eq!(told(runner.all_streaming()).await, expected);
}

/// Tells that it is half done, and ends when the program has heard it.
#[tool(blocking)]
fn dig(call: &CallContext, heard: &Mutex<Receiver<()>>) -> String {
    call.progress("half");
    let heard = heard.lock().unwrap().recv_timeout(Duration::from_secs(10));
    format!("heard: {}", heard.is_ok())
}

#[tokio::test]
async fn progress_from_another_thread_wakes_the_stream() {
    let (hear, heard) = channel();
    let kit: Toolkit = toolkit![dig].with_state(Mutex::new(heard));
    let model = ScriptedModel::new()
        .calls([("dig", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, kit, request());
    let mut events = runner.all_streaming();
    let mut results = Vec::new();
    while let Some(event) = events.next().await {
        match event.unwrap() {
            Event::ToolProgress { .. } => hear.send(()).unwrap(),
            Event::ToolFinished(result) => results.push(result.text()),
            _ => {}
        }
    }
    assert_eq!(results, ["heard: true"]);
}

/// Two threads that wait for each other.
struct Signals {
    ended: Mutex<Receiver<()>>,
    told: Sender<()>,
}

/// Goes on to tell when its time is over.
#[tool(blocking, timeout = "20ms")]
fn outlast(call: &CallContext, signals: &Signals) -> &'static str {
    let ended = signals.ended.lock().unwrap();
    ended.recv_timeout(Duration::from_secs(10)).unwrap();
    call.progress("late");
    signals.told.send(()).unwrap();
    "late"
}

#[tokio::test]
async fn nothing_is_told_behind_the_end() {
    let ((end, ended), (told, late)) = (channel(), channel());
    let ended = Mutex::new(ended);
    let kit: Toolkit = toolkit![outlast].with_state(Signals { ended, told });
    let model = ScriptedModel::new()
        .calls([("outlast", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(model, kit, request());
    let mut events = runner.all_streaming();
    let mut last = None;
    while let Some(event) = events.next().await {
        last = Some(lines::event(&event.unwrap()));
    }
    assert_eq!(last.unwrap(), "end completed");
    end.send(()).unwrap();
    late.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(events.next().await.is_none());
}

/// What the runs that are dropped and go on have in the end.
const WHOLE_RUN: &[&str] = &[
    "user: Go",
    "assistant: Look + 1 a {} + 2 b {}",
    "user: 1 = a done + 2 = b done",
    "assistant: Done.",
];

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
    let mut whole = Runner::new(two_calls(), log.toolkit(&["a", "b"]).unwrap(), request());
    let all = told(whole.all_streaming()).await;
    assert_eq!(all.len(), 11, "{all:?}");
    for taken in 0..=all.len() {
        let log = Log::new();
        let mut runner = Runner::new(two_calls(), log.toolkit(&["a", "b"]).unwrap(), request());
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
        told(runner.all_streaming()).await;
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
        let calls = ScriptedReply::new()
            .call("a", json!({}))
            .text("And")
            .call("b", json!({}));
        ScriptedModel::new()
            .reply(calls)
            .text("Done.")
            .text("Done.")
    };
    let mut whole = Runner::new(
        script(),
        Log::new().toolkit(&["a", "b"]).unwrap(),
        request(),
    );
    let all = told(eager_stream(&mut whole)).await;
    for taken in 0..=all.len() {
        let log = Log::new();
        let mut runner = Runner::new(script(), log.toolkit(&["a", "b"]).unwrap(), request());
        let seen: Vec<_> = {
            let events = eager_stream(&mut runner);
            events
                .take(taken)
                .map(|event| event.unwrap())
                .collect()
                .await
        };
        let has_reply = seen.iter().any(|event| matches!(event, Event::Reply(_)));
        told(runner.all_streaming()).await;
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
    let mut runner = Runner::new(model.clone(), kit, request());
    runner.next_message().await.unwrap();
    {
        let mut turn = runner.next_streaming().await.unwrap().unwrap();
        let all = async { while turn.next().await.is_some() {} };
        assert!(timeout(MS_100, all).await.is_err());
    }
    told(runner.all_streaming()).await;
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
        let mut runner = Runner::new(model.clone(), Toolkit::new(), request());
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
        assert_eq!(told(runner.all_streaming()).await, expected);
        assert!(runner.error().is_none());
        assert_eq!(model.requests()[0].messages, model.requests()[1].messages);
    }
}

#[tokio::test]
async fn a_stream_that_ends_without_a_reply_is_an_error() {
    let cut = vec![
        told::begins(0, Content::text("")),
        told::ends(0, Content::text("Hm.")),
    ];
    let mut runner = Runner::new(Told::new([cut]), Toolkit::new(), request());
    assert_eq!(told(runner.all_streaming()).await, ["error Protocol"]);
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
    let mut runner = Runner::new(model, log.toolkit(&["a", "b"]).unwrap(), request());
    let told = told(eager_stream(&mut runner)).await;
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
    let mut runner = Runner::new(Told::new([events]), log.toolkit(&["a"]).unwrap(), request());
    assert_eq!(
        told(eager_stream(&mut runner)).await.last().unwrap(),
        "error Protocol"
    );
    // Else it would have run, and its reply could not be kept.
    assert_eq!(log.lines(), Vec::<String>::new());
    assert_eq!(runner.messages().len(), 1);
}

/// How long a run takes, as a stream.
async fn run_time(runner: &mut Runner) -> u128 {
    let begun = Instant::now();
    told(runner.all_streaming()).await;
    begun.elapsed().as_millis()
}

/// Three calls that arrive 300 ms apart, and words for as long.
fn spaced() -> ScriptedModel {
    let reply = ["a", "b", "c"]
        .iter()
        .fold(ScriptedReply::new(), |reply, name| {
            reply.call(*name, json!({})).wait(MS_300)
        });
    ScriptedModel::new()
        .reply(reply.text("And").wait(MS_300))
        .text("Done.")
}

/// Three tools that take 300 ms each.
fn three(log: &Log) -> Toolkit {
    ["a", "b", "c"].iter().fold(Toolkit::new(), |kit, name| {
        kit.with(log.tool(name, MS_300).unwrap()).unwrap()
    })
}

#[tokio::test(start_paused = true)]
async fn eager_calls_run_while_the_reply_arrives() {
    // a arrives at 0, b at 300, c at 600, the words at 900; the reply has ended at 1200.
    let log = Log::new();
    let mut runner = Runner::new(spaced(), three(&log), request()).eager(true);
    assert_eq!(run_time(&mut runner).await, 1200);
    let expected = ["300 +a", "600 -a", "600 +b", "900 -b", "900 +c", "1200 -c"];
    let mut timed = log.timed();
    // What happens in the same moment has no order.
    timed.sort();
    let mut expected = expected.map(str::to_owned);
    expected.sort();
    assert_eq!(timed, expected);

    let log = Log::new();
    let mut runner = Runner::new(spaced(), three(&log), request());
    assert_eq!(run_time(&mut runner).await, 1500);
    assert_eq!(&log.timed()[..3], ["1200 +a", "1200 +b", "1200 +c"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_stream_no_call_is_eager() {
    let log = Log::new();
    let mut runner = Runner::new(spaced(), three(&log), request()).eager(true);
    runner.run_to_completion().await.unwrap();
    assert_eq!(&log.timed()[..3], ["1200 +a", "1200 +b", "1200 +c"]);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_than_allowed_are_eager() {
    let arrive = ScriptedReply::new()
        .call("a", json!({}))
        .call("b", json!({}))
        .call("c", json!({}))
        .text("And")
        .wait(MS_300 * 2);
    let log = Log::new();
    let model = ScriptedModel::new().reply(arrive).text("Done.");
    let mut runner = Runner::new(model, three(&log), request())
        .eager(true)
        .max_concurrent_tools(1);
    // The third starts when the reply has ended, which the second took all the time of.
    assert_eq!(run_time(&mut runner).await, 900);
    let expected = ["0 +a", "300 -a", "300 +b", "600 -b", "600 +c", "900 -c"];
    assert_eq!(log.timed(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_call_does_not_start_early_where_it_may_not() {
    let arrive = |names: &[&str]| {
        let reply = names.iter().fold(ScriptedReply::new(), |reply, name| {
            reply.call(*name, json!({}))
        });
        ScriptedModel::new().reply(reply.wait(MS_300)).text("Done.")
    };
    let starts = async |names: &[&str]| {
        let log = Log::new();
        let at_once = |name| log.tool(name, Duration::ZERO).unwrap();
        let kit = [
            at_once("a"),
            at_once("b"),
            at_once("alone").with(|definition| definition.exclusive(true)),
            at_once("ask").with(|definition| definition.approval(true)),
        ];
        let kit = kit
            .into_iter()
            .fold(Toolkit::new(), |kit, tool| kit.with(tool).unwrap());
        let mut runner = Runner::new(arrive(names), kit, request()).eager(true);
        told(runner.all_streaming()).await;
        let lines = log.timed().into_iter();
        lines.filter(|line| line.contains('+')).collect::<Vec<_>>()
    };
    // The last block: the model has not moved on from it.
    assert_eq!(starts(&["a", "b"]).await, ["0 +a", "300 +b"]);
    // One that runs alone, and what stands behind it.
    assert_eq!(
        starts(&["alone", "a", "b"]).await,
        ["300 +alone", "300 +a", "300 +b"]
    );
    assert_eq!(
        starts(&["a", "alone", "b"]).await,
        ["0 +a", "300 +alone", "300 +b"]
    );
    // One that needs approval, but not what stands behind it.
    assert_eq!(starts(&["ask", "a", "b"]).await, ["0 +a", "300 +b"]);
    // One that there is no tool of.
    assert_eq!(starts(&["nothing", "a", "b"]).await, ["0 +a", "300 +b"]);
}

#[tokio::test(start_paused = true)]
async fn no_call_starts_early_where_another_model_has_taken_over() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let reply = ScriptedReply::new()
        .text("I")
        .set_aside()
        .call("a", json!({}))
        .call("b", json!({}))
        .wait(MS_300);
    let model = ScriptedModel::new().reply(reply).text("Done.");
    let mut runner = Runner::new(model, kit, request()).eager(true);
    told(runner.all_streaming()).await;
    assert_eq!(log.timed(), ["300 +a", "300 -a", "300 +b", "300 -b"]);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_call_is_told_although_its_reply_was_set_aside() {
    let log = Log::new();
    let reply = ScriptedReply::new()
        .call("a", json!({}))
        .text("And")
        .set_aside()
        .text("No.");
    let model = ScriptedModel::new().reply(reply);
    let mut runner = Runner::new(model, log.toolkit(&["a"]).unwrap(), request()).eager(true);
    let events: Vec<_> = runner.all_streaming().map(Result::unwrap).collect().await;
    let ends = |event: &&Event| matches!(event, Event::ToolStarted(_) | Event::ToolFinished(_));
    assert_eq!(events.iter().filter(ends).count(), 2, "{events:?}");
    let Some(Event::End(end)) = events.last() else {
        panic!("{events:?}");
    };
    assert_eq!(end.abandoned.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_eager_call_knows_its_turn() {
    /// Tells its turn.
    #[tool]
    async fn turn(call: &CallContext) -> usize {
        call.turn()
    }
    let reply = || ScriptedReply::new().call("turn", json!({})).text("And");
    for eager in [true, false] {
        let model = ScriptedModel::new()
            .reply(reply())
            .reply(reply())
            .text("Done.");
        let mut runner = Runner::new(model, toolkit![turn], request()).eager(eager);
        told(runner.all_streaming()).await;
        let lines = history(&runner.messages());
        assert_eq!(
            [&lines[2], &lines[4]],
            ["user: call_1_1 = 1", "user: call_2_1 = 2"]
        );
    }
}

/// Tells its turn, and does not end the first time.
#[tool(idempotent)]
async fn turn_at_last(call: &CallContext, log: &Log) -> usize {
    log.write(format!("{} in {}", call.call_id(), call.turn()));
    if log.lines().len() == 1 {
        std::future::pending::<()>().await;
    }
    call.turn()
}

// Turn and id together are a key of the call, for tools that must know it again.
#[tokio::test(start_paused = true)]
async fn a_call_of_a_cut_reply_has_its_turn_to_itself() {
    let log = Log::new();
    let reply = || {
        let call = ScriptedReply::new().call("turn_at_last", json!({}));
        call.text("And")
    };
    let model = ScriptedModel::new()
        .reply(reply().breaks())
        .reply(reply())
        .text("Done.");
    let kit: Toolkit = toolkit![turn_at_last].with_state(log.clone());
    let mut runner = Runner::new(model, kit, request()).eager(true);
    timeout(MS_100, told(runner.all_streaming()))
        .await
        .unwrap_err();
    told(runner.all_streaming()).await;
    let expected = ["call_1_1 in 1", "call_1_1 in 1", "call_2_1 in 2"];
    assert_eq!(log.lines(), expected);
    assert_eq!(
        (runner.iteration_count(), runner.outcome()),
        (2, Some(Outcome::Completed))
    );
}

#[tokio::test(start_paused = true)]
async fn a_turn_of_a_stream_ends_when_its_eager_calls_have() {
    let log = Log::new();
    let reply = ScriptedReply::new().call("a", json!({})).text("And");
    let model = ScriptedModel::new().reply(reply).text("Done.");
    let mut runner = Runner::new(model, three(&log), request()).eager(true);
    let turn = runner.next_streaming().await.unwrap().unwrap();
    let events = told(turn).await;
    let expected = [
        "call call_1_1 a",
        "input call_1_1 {}",
        "started call_1_1 {}",
        "text \"And\"",
        "reply \"And\"",
        "finished call_1_1 a done",
    ];
    assert_eq!(events, expected);
    assert_eq!(log.timed(), ["0 +a", "300 -a"]);
}

#[tokio::test(start_paused = true)]
async fn the_tokens_of_streams_that_did_not_end_count() {
    let reply = || ScriptedReply::new().text("Hello").usage(usage(10, 5));
    let model = ScriptedModel::new()
        .reply(reply().breaks())
        .reply(reply().wait(Duration::from_secs(9)))
        .reply(reply());
    let mut runner = Runner::new(model, Toolkit::new(), request());
    told(runner.all_streaming()).await;
    // Of a reply that broke, what was told of it by then.
    assert_eq!((runner.usage().input, runner.usage().output), (10, 0));
    timeout(MS_100, told(runner.all_streaming()))
        .await
        .unwrap_err();
    assert_eq!((runner.usage().input, runner.usage().output), (20, 0));
    // What is told while a reply arrives is its account so far, and not more of it.
    told(runner.all_streaming()).await;
    assert_eq!((runner.usage().input, runner.usage().output), (30, 5));
}

#[tokio::test]
async fn tools_that_cannot_be_offered_are_an_error_before_the_stream() {
    let twin = haft::ToolDefinition::new("steps", "", json!({"type": "object"})).unwrap();
    let model = ScriptedModel::new().text("Hi");
    let mut runner = Runner::new(model, toolkit![steps], request().tool(twin));
    let error = runner.next_streaming().await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert_eq!(told(runner.all_streaming()).await, ["error Definition"]);
}

#[tokio::test]
async fn a_stream_can_go_to_another_task() {
    let model = ScriptedModel::new().reply(varied()).text("Done.");
    let mut runner = Runner::new(model, toolkit![steps], request());
    let follow = async move { told(runner.all_streaming()).await.len() };
    assert_eq!(tokio::spawn(follow).await.unwrap(), 12);
}

#[tokio::test]
async fn a_reply_without_blocks_is_told_all_the_same() {
    let empty = told::whole(Vec::new(), StopReason::EndTurn);
    let mut runner = Runner::new(Told::new([vec![empty]]), Toolkit::new(), request());
    assert_eq!(
        told(runner.all_streaming()).await,
        ["reply \"\"", "end completed"]
    );
    assert_eq!(runner.messages().len(), 1);
}
