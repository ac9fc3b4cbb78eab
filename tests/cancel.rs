//! Cancelling a run by its token: what stops at once, what gets its time, and how the run goes on.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CallContext, CancellationToken, Decision, Event, Hook, HookCall, HookFuture, ModelCall,
    Outcome, Provider, Reply, ReplyStream, Request, Runner, StreamExt, ToolOutput, ToolResult,
    Toolkit, Usage, tool, toolkit,
};
use haft_tests::lines::{calls, history, outcome, request, results};
use haft_tests::log::Log;
use haft_tests::over;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep};

const MS_500: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(60);

/// Runs, and cancels the token after 500 ms. How the run ended, and when.
async fn cancelled(runner: &mut Runner) -> (String, u128) {
    let stop = CancellationToken::new();
    runner.set_cancellation(stop.clone());
    let begun = Instant::now();
    let run = async {
        let end = runner.run_to_completion().await.unwrap();
        (outcome(&end.outcome), begun.elapsed().as_millis())
    };
    let cancel = async {
        sleep(MS_500).await;
        stop.cancel();
    };
    tokio::join!(run, cancel).0
}

/// Goes on with another token.
async fn go_on(runner: &mut Runner) -> String {
    runner.set_cancellation(CancellationToken::new());
    outcome(&runner.run_to_completion().await.unwrap().outcome)
}

fn interrupted(name: &str) -> String {
    format!("Error: Tool '{name}' was interrupted; whether it took effect is unknown")
}

fn not_started(name: &str) -> String {
    format!("Error: Tool '{name}' was interrupted before it started")
}

#[tokio::test]
async fn a_run_that_is_cancelled_before_it_begins_sends_nothing() {
    let stop = CancellationToken::new();
    stop.cancel();
    let model = ScriptedModel::new().text("Hello.");
    let mut runner =
        Runner::new(over::model(model.clone()), Toolkit::new(), request()).cancellation(stop);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Cancelled);
    assert!(end.reply.content().is_empty());
    assert!(runner.next_streaming().await.unwrap().is_none());
    assert!(runner.next_message().await.unwrap().is_none());
    assert!(runner.is_completed());
    assert!(model.requests().is_empty());
    assert_eq!(go_on(&mut runner).await, "completed");
}

/// A model that does not answer, and knows when it is no longer asked.
#[derive(Debug, Default)]
struct Silent(Arc<AtomicBool>);

struct Asked<'a>(&'a AtomicBool);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Provider for Silent {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, _: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::from_future(async {
            let _asked = Asked(&self.0);
            std::future::pending().await
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_dropped_at_once() {
    let is_dropped = Arc::new(AtomicBool::new(false));
    let mut runner = Runner::new(
        over::model(Silent(Arc::clone(&is_dropped))),
        Toolkit::new(),
        request(),
    );
    assert_eq!(cancelled(&mut runner).await, ("cancelled".to_owned(), 500));
    assert!(is_dropped.load(Ordering::SeqCst));
    assert_eq!((runner.messages().len(), runner.iteration_count()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_stream_ends_without_its_reply_and_its_tokens_count() {
    let mut usage = Usage::default();
    (usage.input, usage.output) = (10, 5);
    let slow = ScriptedReply::new().text("Hello").wait(LONG).usage(usage);
    let model = ScriptedModel::new().reply(slow).text("Hello!");
    let stop = CancellationToken::new();
    let mut runner =
        Runner::new(over::model(model), Toolkit::new(), request()).cancellation(stop.clone());
    let mut events = runner.all_streaming();
    assert_eq!(
        events.next().await.unwrap().unwrap(),
        Event::Text("Hello".into())
    );
    stop.cancel();
    let Some(Ok(Event::End(end))) = events.next().await else {
        panic!("no end")
    };
    let begun = over::tokens_at_the_begin(10);
    assert_eq!((end.outcome, end.usage.input), (Outcome::Cancelled, begun));
    assert!(events.next().await.is_none());
    drop(events);
    assert_eq!(runner.messages().len(), 1);
    assert_eq!(go_on(&mut runner).await, "completed");
    assert_eq!(runner.messages().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_cancelled_ends_without_an_error() {
    let slow = ScriptedReply::new().text("Hello").wait(LONG);
    let stop = CancellationToken::new();
    let model = ScriptedModel::new().reply(slow);
    let mut runner =
        Runner::new(over::model(model), Toolkit::new(), request()).cancellation(stop.clone());
    let mut turn = runner.next_streaming().await.unwrap().unwrap();
    turn.next().await.unwrap().unwrap();
    stop.cancel();
    assert!(turn.next().await.is_none());
    drop(turn);
    assert!(runner.next_streaming().await.unwrap().is_none());
    assert_eq!(
        (runner.outcome(), runner.error().is_none()),
        (Some(Outcome::Cancelled), true)
    );
}

/// Looks at its token, and needs some time to end then.
#[tool]
async fn tidy(call: &CallContext, log: &Log, seconds: u64) -> &'static str {
    call.cancellation().cancelled().await;
    log.write("told");
    sleep(Duration::from_secs(seconds)).await;
    log.write("tidied");
    "tidied up"
}

/// Does not look at its token.
#[tool]
async fn deaf(log: &Log) -> &'static str {
    log.write("+deaf");
    sleep(LONG).await;
    log.write("-deaf");
    "heard nothing"
}

/// Is done at once.
#[tool]
async fn quick(log: &Log) -> &'static str {
    log.write("+quick");
    "quick"
}

fn tidy_calls(seconds: u64) -> ScriptedModel {
    let calls = [
        ("quick", json!({})),
        ("tidy", json!({"seconds": seconds})),
        ("deaf", json!({})),
    ];
    ScriptedModel::new().calls(calls).text("Done.")
}

// RN-15.
#[tokio::test(start_paused = true)]
async fn a_handler_that_looks_at_its_token_gets_its_time_and_others_do_not() {
    let log = Log::new();
    let kit: Toolkit = toolkit![tidy, deaf, quick].with_state(log.clone());
    let model = tidy_calls(4);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    assert_eq!(cancelled(&mut runner).await, ("cancelled".to_owned(), 4500));
    assert_eq!(
        log.timed(),
        ["0 +quick", "0 +deaf", "500 told", "4500 tidied"]
    );
    let told = [
        "quick".to_owned(),
        "tidied up".to_owned(),
        interrupted("deaf"),
    ];
    assert_eq!(results(&runner.messages()), told);
    assert_eq!(model.requests().len(), 1);
    assert_eq!(go_on(&mut runner).await, "completed");
    assert_eq!(results(&model.requests()[1].messages), told);
    assert_eq!(
        (log.count("+quick"), log.count("told"), log.count("+deaf")),
        (1, 1, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_too_long_to_end_is_dropped() {
    let log = Log::new();
    let kit: Toolkit = toolkit![tidy, deaf, quick].with_state(log.clone());
    let mut runner = Runner::new(over::model(tidy_calls(6)), kit, request());
    assert_eq!(cancelled(&mut runner).await, ("cancelled".to_owned(), 5500));
    assert_eq!((log.count("told"), log.count("tidied")), (1, 0));
    let told = ["quick".to_owned(), interrupted("tidy"), interrupted("deaf")];
    assert_eq!(results(&runner.messages()), told);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_does_not_look_is_dropped_at_once() {
    let log = Log::new();
    let kit: Toolkit = toolkit![deaf].with_state(log.clone());
    let mut runner = Runner::new(over::model(calls(&["deaf"])), kit, request());
    assert_eq!(cancelled(&mut runner).await, ("cancelled".to_owned(), 500));
    assert_eq!(log.timed(), ["0 +deaf"]);
}

#[tokio::test(start_paused = true)]
async fn an_eager_handler_gets_its_time_too() {
    let log = Log::new();
    let kit: Toolkit = toolkit![tidy].with_state(log.clone());
    let arrive = ScriptedReply::new()
        .call("tidy", json!({"seconds": 4}))
        .text("And")
        .wait(LONG);
    let stop = CancellationToken::new();
    let model = ScriptedModel::new().reply(arrive).text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request())
        .eager(true)
        .cancellation(stop.clone());
    let events = async {
        let events: Vec<_> = runner.all_streaming().collect().await;
        assert!(
            matches!(events.last(), Some(Ok(Event::End(_)))),
            "{events:?}"
        );
    };
    let cancel = async {
        sleep(MS_500).await;
        stop.cancel();
    };
    tokio::join!(events, cancel);
    assert_eq!(log.timed(), ["500 told", "4500 tidied"]);
    let lines = history(&runner.messages());
    assert_eq!(lines[2], "user: call_1_1 = tidied up");
    assert_eq!(runner.outcome(), Some(Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn going_on_runs_again_what_may_and_answers_the_rest() {
    let log = Log::new();
    let slow = |name| log.tool(name, LONG).unwrap();
    let kit = [
        slow("slow"),
        slow("sets").with(|definition| definition.idempotent(true)),
        slow("reads").with(|definition| definition.read_only(true)),
        slow("later"),
        slow("later_too").with(|definition| definition.read_only(true)),
    ];
    let kit = kit
        .into_iter()
        .fold(Toolkit::new(), |kit, tool| kit.with(tool).unwrap());
    let model = calls(&["slow", "sets", "reads", "later", "later_too"]);
    let mut runner =
        Runner::new(over::model(model.clone()), kit, request()).max_concurrent_tools(3);
    assert_eq!(cancelled(&mut runner).await.0, "cancelled");
    let shown = [
        interrupted("slow"),
        interrupted("sets"),
        interrupted("reads"),
        not_started("later"),
        not_started("later_too"),
    ];
    assert_eq!(results(&runner.messages()), shown);
    assert_eq!(go_on(&mut runner).await, "completed");
    let told = [
        interrupted("slow"),
        "sets done".to_owned(),
        "reads done".to_owned(),
        not_started("later"),
        not_started("later_too"),
    ];
    assert_eq!(results(&model.requests()[1].messages), told);
    let starts = ["+slow", "+sets", "+reads", "+later", "+later_too"].map(|line| log.count(line));
    assert_eq!(starts, [1, 2, 2, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_about_to_run_again_may_have_taken_effect() {
    let log = Log::new();
    let slow = |name| log.tool(name, LONG).unwrap();
    let again = |name| slow(name).with(|definition| definition.idempotent(true));
    let kit = Toolkit::new().with(again("one")).unwrap();
    let kit = kit.with(again("two")).unwrap();
    let mut runner = Runner::new(over::model(calls(&["one", "two"])), kit, request());
    assert_eq!(cancelled(&mut runner).await.0, "cancelled");
    // Only one of them has room to run again before it is cancelled again.
    runner.set_max_concurrent_tools(1);
    assert_eq!(cancelled(&mut runner).await.0, "cancelled");
    assert_eq!((log.count("+one"), log.count("+two")), (2, 1));
    let told = [interrupted("one"), interrupted("two")];
    assert_eq!(results(&runner.messages()), told);
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_run_that_is_cancelled_between_two_turns_do_not_start() {
    let log = Log::new();
    let kit = log.toolkit(&["a"]).unwrap();
    let stop = CancellationToken::new();
    let model = calls(&["a"]);
    let mut runner =
        Runner::new(over::model(model.clone()), kit, request()).cancellation(stop.clone());
    runner.next_message().await.unwrap().unwrap();
    stop.cancel();
    assert!(runner.run_calls().await.unwrap().is_empty());
    assert!(runner.next_message().await.unwrap().is_none());
    assert_eq!(results(&runner.messages()), [not_started("a")]);
    assert_eq!(go_on(&mut runner).await, "completed");
    assert_eq!(results(&model.requests()[1].messages), [not_started("a")]);
    assert_eq!(log.count("+a"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_the_program_is_answered_when_a_run_is_cancelled() {
    let log = Log::new();
    let ask = log.tool("ask", Duration::ZERO).unwrap();
    let ask = ask.with(|definition| definition.approval(true));
    let kit = Toolkit::new().with(ask).unwrap();
    let kit = kit.with(log.tool("slow", LONG).unwrap()).unwrap();
    let model = calls(&["ask", "slow"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    assert_eq!(cancelled(&mut runner).await.0, "cancelled");
    assert_eq!(
        results(&runner.messages()),
        [not_started("ask"), interrupted("slow")]
    );
    assert!(runner.decide("call_1_1", Decision::Allow).is_err());
    assert_eq!(go_on(&mut runner).await, "completed");
    assert_eq!(log.count("+ask"), 0);
}

/// A hook that takes a minute, at one place.
struct Slow {
    at: &'static str,
    log: Log,
}

impl Slow {
    fn take<'a, T: Send + 'a>(&'a self, at: &'static str, value: T) -> HookFuture<'a, T> {
        Box::pin(async move {
            if at == self.at {
                self.log.write(format!("+{at}"));
                sleep(LONG).await;
                self.log.write(format!("-{at}"));
            }
            Ok(value)
        })
    }
}

impl Hook for Slow {
    fn before_call<'a>(&'a self, _: HookCall<'a>) -> HookFuture<'a, Decision> {
        self.take("before_call", Decision::Allow)
    }

    fn after_call<'a>(
        &'a self,
        _: HookCall<'a>,
        _: &'a ToolResult,
    ) -> HookFuture<'a, Option<ToolOutput>> {
        self.take("after_call", None)
    }

    fn before_request<'a>(&'a self, _: &'a mut Request) -> HookFuture<'a, ()> {
        self.take("before_request", ())
    }

    fn after_reply<'a>(&'a self, _: &'a Reply) -> HookFuture<'a, ()> {
        self.take("after_reply", ())
    }
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_thinks_is_dropped_at_once() {
    // What the hook takes its time for, what has been asked by then, and what the call comes to.
    let cases = [
        ("before_request", 0, None),
        ("after_reply", 1, Some(not_started("a"))),
        ("before_call", 1, Some(not_started("a"))),
        // The hook may yet withhold what came of it.
        (
            "after_call",
            1,
            Some("Error: the result of tool 'a' is not there yet".to_owned()),
        ),
    ];
    for (at, asked, told) in cases {
        let log = Log::new();
        let kit = log.toolkit(&["a"]).unwrap();
        let model = calls(&["a"]);
        let hook = Slow {
            at,
            log: log.clone(),
        };
        let mut runner = Runner::new(over::model(model.clone()), kit, request()).hook(hook);
        assert_eq!(
            cancelled(&mut runner).await,
            ("cancelled".to_owned(), 500),
            "{at}"
        );
        assert_eq!(
            (log.count(&format!("+{at}")), log.count(&format!("-{at}"))),
            (1, 0)
        );
        assert_eq!(model.requests().len(), asked, "{at}");
        let shown = runner.messages();
        let result = shown
            .get(2)
            .and_then(|message| message.tool_results().next());
        assert_eq!(result.map(ToolResult::text), told, "{at}");
        let runs = log.count("+a");
        assert_eq!(go_on(&mut runner).await, "completed", "{at}");
        assert!(log.count("+a") == runs || at == "before_request", "{at}");
    }
}

/// A hook that cancels the run before the model is asked.
struct Cancels(CancellationToken);

impl Hook for Cancels {
    fn before_request<'a>(&'a self, _: &'a mut Request) -> HookFuture<'a, ()> {
        self.0.cancel();
        Box::pin(async { Ok(()) })
    }
}

/// Lets all calls run, and cancels the run when it is asked about the second.
struct CancelsAtSecond {
    stop: CancellationToken,
    is_first_past: AtomicBool,
}

impl Hook for CancelsAtSecond {
    fn before_call<'a>(&'a self, _: HookCall<'a>) -> HookFuture<'a, Decision> {
        Box::pin(async {
            if self.is_first_past.swap(true, Ordering::SeqCst) {
                self.stop.cancel();
            }
            Ok(Decision::Allow)
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_run_does_not_start_once_the_run_is_cancelled() {
    let log = Log::new();
    let kit = log.toolkit(&["a", "b"]).unwrap();
    let stop = CancellationToken::new();
    let hook = CancelsAtSecond {
        stop: stop.clone(),
        is_first_past: AtomicBool::new(false),
    };
    let runner = Runner::new(calls(&["a", "b"]), kit, request());
    let mut runner = runner.cancellation(stop).hook(hook);
    runner.next_message().await.unwrap().unwrap();
    assert!(runner.next_message().await.unwrap().is_none());
    assert_eq!(runner.outcome(), Some(Outcome::Cancelled));
    assert_eq!((log.count("+a"), log.count("+b")), (0, 0));
}

#[tokio::test]
async fn nothing_is_sent_where_a_hook_cancels_the_run() {
    let stop = CancellationToken::new();
    let model = ScriptedModel::new().text("Hello.");
    let mut runner = Runner::new(over::model(model.clone()), Toolkit::new(), request())
        .cancellation(stop.clone())
        .hook(Cancels(stop));
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (end.outcome, model.requests().len()),
        (Outcome::Cancelled, 0)
    );
}

/// Blocks until it is told to end.
#[tool(blocking)]
fn block(call: &CallContext, told: &Mutex<Sender<&'static str>>) -> &'static str {
    let told = told.lock().unwrap();
    told.send("begun").unwrap();
    Handle::current().block_on(call.cancellation().cancelled());
    told.send("told").unwrap();
    "ended"
}

/// Blocks until it is told to end, in a second.
#[tool(blocking, timeout = "1s")]
fn block_a_while(call: &CallContext, told: &Mutex<Sender<&'static str>>) -> &'static str {
    block(call, told)
}

#[tokio::test]
async fn a_blocking_tool_sees_that_its_run_is_cancelled() {
    let (tell, told) = channel();
    let kit: Toolkit = toolkit![block].with_state(Mutex::new(tell));
    let stop = CancellationToken::new();
    let mut runner =
        Runner::new(over::model(calls(&["block"])), kit, request()).cancellation(stop.clone());
    let run = async { runner.run_to_completion().await.unwrap().outcome };
    let cancel = async {
        while told.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    assert_eq!(tokio::join!(run, cancel).0, Outcome::Cancelled);
    assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok("told"));
    assert_eq!(results(&runner.messages()).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_blocking_tool_sees_that_its_time_is_over() {
    let (tell, told) = channel();
    let kit: Toolkit = toolkit![block_a_while].with_state(Mutex::new(tell));
    let mut runner = Runner::new(over::model(calls(&["block_a_while"])), kit, request());
    let run = async { outcome(&runner.run_to_completion().await.unwrap().outcome) };
    let pass = async {
        while told.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        // Time does not pass by itself while a thread is at work.
        tokio::time::advance(Duration::from_secs(1)).await;
    };
    assert_eq!(tokio::join!(run, pass).0, "completed");
    let told_result = ["Error: Tool 'block_a_while' timed out after 1s"];
    assert_eq!(results(&runner.messages()), told_result);
    assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok("told"));
}

#[tokio::test]
async fn a_blocking_tool_sees_that_its_turn_was_dropped() {
    let (tell, told) = channel();
    let kit: Toolkit = toolkit![block].with_state(Mutex::new(tell));
    let mut runner = Runner::new(over::model(calls(&["block"])), kit, request());
    {
        let run = runner.run_to_completion();
        let begun = async {
            while told.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = run => panic!("it does not end"),
            () = begun => {}
        }
    }
    assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok("told"));
    assert_eq!(results(&runner.messages()), [interrupted("block")]);
}

#[tokio::test]
async fn the_outcome_of_a_run_that_has_ended_does_not_change() {
    let log = Log::new();
    let at_once = |name| log.tool(name, Duration::ZERO).unwrap();
    let ask = at_once("ask").with(|definition| definition.approval(true));
    let kit = Toolkit::new()
        .with(ask)
        .unwrap()
        .with(at_once("a"))
        .unwrap();
    let cases = [
        (ScriptedModel::new().text("Hello."), "completed"),
        (calls(&["ask"]), "awaiting [call_1_1]"),
        (calls(&["a"]), "capped [call_1_1]"),
    ];
    for (model, expected) in cases {
        let stop = CancellationToken::new();
        let mut runner = Runner::new(over::model(model), kit.clone(), request())
            .max_iterations(usize::from(expected.starts_with("capped")))
            .cancellation(stop.clone());
        let end =
            async |runner: &mut Runner| outcome(&runner.run_to_completion().await.unwrap().outcome);
        assert_eq!(end(&mut runner).await, expected);
        let shown = runner.messages();
        stop.cancel();
        assert_eq!(
            runner.outcome().as_ref().map(outcome).as_deref(),
            Some(expected)
        );
        assert_eq!(end(&mut runner).await, expected);
        assert_eq!(history(&runner.messages()), history(&shown));
    }
}

#[tokio::test(start_paused = true)]
async fn what_has_run_counts_when_the_token_is_cancelled_in_the_same_moment() {
    /// Cancels its own run, and is done.
    #[tool]
    async fn last(stop: &CancellationToken) -> &'static str {
        stop.cancel();
        "the last one"
    }
    let stop = CancellationToken::new();
    let kit: Toolkit = toolkit![last].with_state(stop.clone());
    let model = calls(&["last"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request()).cancellation(stop);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Cancelled);
    assert_eq!(results(&runner.messages()), ["the last one"]);
    assert_eq!(go_on(&mut runner).await, "completed");
    assert_eq!(results(&model.requests()[1].messages), ["the last one"]);
}
