//! The table of outcomes: what each leaves in the history, and what is then sent when the run goes on.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::time::Duration;

use haft::serde_json::{self, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CancellationToken, CapPolicy, Content, Decision, Event, Message, Outcome, Request, Runner,
    StopReason, StreamExt, ToolDefinition, ToolOutput, Toolkit,
};
use haft_tests::lines::{history, outcome, request};
use haft_tests::log::Log;
use tokio::time::sleep;

/// One row: how a run comes to its end, what it leaves, and what follows. Histories are without the user's `Go`.
struct Row {
    /// What the model answers until the end. Afterwards it says `Done.`
    script: Vec<ScriptedReply>,
    way: Way,
    request: fn() -> Request,
    set: fn(Runner) -> Runner,
    outcome: &'static str,
    history: &'static [&'static str],
    /// What the program does before it goes on.
    then: fn(&mut Runner),
    /// What is sent next, where nothing is appended.
    nothing_new: Goes,
    /// What is sent next, where the user says `More`.
    appended: Goes,
    /// The tools that have started when all is over.
    ran: &'static [&'static str],
}

/// How the run is driven to its end.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Whole,
    /// As a stream, with eager calls.
    Eager,
    /// The same, and it is dropped after so many milliseconds.
    Dropped(u64),
    /// The token is cancelled after so many milliseconds.
    Cancelled(u64),
    EagerCancelled(u64),
}

/// What going on leads to.
enum Goes {
    /// Nothing is asked.
    Stays,
    /// This is sent first.
    Asks(&'static [&'static str]),
    /// This is, and `More` behind it.
    AsksMore(&'static [&'static str]),
}

impl Goes {
    fn to_lines(&self) -> Option<Vec<String>> {
        let (lines, more): (_, &[&str]) = match self {
            Self::Stays => return None,
            Self::Asks(lines) => (lines, &[]),
            Self::AsksMore(lines) => (lines, &["user: More"]),
        };
        let lines = lines.iter().chain(more);
        Some(lines.map(|line| (*line).to_owned()).collect())
    }
}

/// What is done with the run at its end.
#[derive(Clone, Copy, Debug)]
struct Column {
    is_appended: bool,
    /// Whether another runner goes on from the state, as text.
    is_resumed: bool,
}

impl Column {
    const fn new(is_appended: bool, is_resumed: bool) -> Self {
        Self {
            is_appended,
            is_resumed,
        }
    }
}

const COLUMNS: [Column; 4] = [
    Column::new(false, false),
    Column::new(true, false),
    Column::new(false, true),
    Column::new(true, true),
];

impl Default for Row {
    fn default() -> Self {
        Self {
            script: Vec::new(),
            way: Way::Whole,
            request,
            set: |runner| runner,
            outcome: "",
            history: &[],
            then: |_| {},
            nothing_new: Goes::Stays,
            appended: Goes::Stays,
            ran: &[],
        }
    }
}

impl Row {
    /// Every column, each with a run of its own.
    async fn check(&self) {
        for column in COLUMNS {
            self.check_column(column).await;
        }
    }

    async fn check_column(&self, column: Column) {
        let log = Log::new();
        let replies = self.script.iter().cloned();
        let model = replies.fold(ScriptedModel::new(), ScriptedModel::reply);
        let model = model.text("Done.").text("Done.");
        let runner = Runner::new(model.clone(), toolkit(&log), (self.request)());
        let stop = CancellationToken::new();
        let mut runner = (self.set)(runner).cancellation(stop.clone());
        assert_eq!(
            self.run(&mut runner, &stop).await,
            self.outcome,
            "{column:?}"
        );
        self.check_rest(&runner, column);
        if column.is_resumed {
            let resumed = resumed(&runner, &model, &log);
            runner = (self.set)(resumed).cancellation(stop);
            self.check_rest(&runner, column);
        }
        (self.then)(&mut runner);
        if column.is_appended {
            runner.append_messages([Message::user("More")]);
        }
        let before = model.requests().len();
        runner.run_to_completion().await.unwrap();
        let next = model.requests().get(before).cloned();
        let next = next.map(|request| after_go(&request.messages));
        let expected = if column.is_appended {
            &self.appended
        } else {
            &self.nothing_new
        };
        assert_eq!(next, expected.to_lines(), "{column:?}");
        let started: Vec<_> = log
            .lines()
            .into_iter()
            .filter(|line| line.starts_with('+'))
            .collect();
        assert_eq!(started, self.ran, "{column:?}");
    }

    /// What can be seen of the run between its end and its going on.
    fn check_rest(&self, runner: &Runner, column: Column) {
        let at_rest = runner.outcome().as_ref().map(outcome);
        // What has failed or was dropped has no outcome.
        let expected = match self.outcome {
            "error" | "dropped" => None,
            outcome => Some(outcome),
        };
        assert_eq!(at_rest.as_deref(), expected, "{column:?}");
        assert_eq!(after_go(&runner.messages()), self.history, "{column:?}");
    }

    /// Drives the run to its end; how it ended.
    async fn run(&self, runner: &mut Runner, stop: &CancellationToken) -> String {
        let cancel = async |after| {
            sleep(Duration::from_millis(after)).await;
            stop.cancel();
        };
        match self.way {
            Way::Whole => whole(runner).await,
            Way::Eager => eager(runner).await,
            Way::Dropped(after) => {
                let all = tokio::time::timeout(Duration::from_millis(after), eager(runner));
                return all.await.unwrap_or_else(|_| "dropped".to_owned());
            }
            Way::Cancelled(after) => tokio::join!(whole(runner), cancel(after)).0,
            Way::EagerCancelled(after) => tokio::join!(eager(runner), cancel(after)).0,
        }
    }
}

/// Another runner that goes on from the state, which was kept as text meanwhile.
fn resumed(runner: &Runner, model: &ScriptedModel, log: &Log) -> Runner {
    let state = serde_json::to_string(&runner.state()).unwrap();
    let state = serde_json::from_str(&state).unwrap();
    let resumed = Runner::resume(model.clone(), toolkit(log), state).unwrap();
    assert_eq!(resumed.usage(), runner.usage());
    assert_eq!(resumed.iteration_count(), runner.iteration_count());
    let last = |runner: &Runner| runner.last_message().map(|reply| reply.message().clone());
    assert_eq!(last(&resumed), last(runner));
    resumed
}

async fn whole(runner: &mut Runner) -> String {
    match runner.run_to_completion().await {
        Ok(end) => outcome(&end.outcome),
        Err(_) => "error".to_owned(),
    }
}

async fn eager(runner: &mut Runner) -> String {
    runner.set_eager(true);
    let mut events = runner.all_streaming();
    let mut last = None;
    while let Some(event) = events.next().await {
        last = Some(event);
    }
    match last {
        Some(Ok(Event::End(end))) => outcome(&end.outcome),
        Some(Err(_)) => "error".to_owned(),
        other => panic!("no end: {other:?}"),
    }
}

/// A history behind the user's `Go`.
fn after_go(messages: &[Message]) -> Vec<String> {
    let mut lines = history(messages);
    assert_eq!(lines.remove(0), "user: Go");
    lines
}

/// `a` and `b` take no time, `slow` 1000 ms; `again` does, too, and may run twice. `fails` fails, `ask` needs approval.
fn toolkit(log: &Log) -> Toolkit {
    let at_once = |name| log.tool(name, Duration::ZERO).unwrap();
    let slow = |name| log.tool(name, Duration::from_secs(1)).unwrap();
    let tools = [
        at_once("a"),
        at_once("b"),
        slow("slow"),
        slow("again").with(|definition| definition.idempotent(true)),
        at_once("fails").failing(),
        at_once("ask").with(|definition| definition.approval(true)),
    ];
    tools
        .into_iter()
        .fold(Toolkit::new(), |kit, tool| kit.with(tool).unwrap())
}

/// A reply that calls these tools.
fn calls(names: &[&str]) -> ScriptedReply {
    names.iter().fold(ScriptedReply::new(), |reply, name| {
        reply.call(*name, json!({}))
    })
}

fn says(text: &str) -> ScriptedReply {
    ScriptedReply::new().text(text)
}

/// A call that the model moves on from, 100 ms before what follows.
fn begun(name: &str) -> ScriptedReply {
    calls(&[name]).text("And").wait(Duration::from_millis(100))
}

fn new_token(runner: &mut Runner) {
    runner.set_cancellation(CancellationToken::new());
}

#[tokio::test(start_paused = true)]
async fn a_completed_run_has_the_reply_in_its_history_and_is_opened_by_a_message() {
    let row = Row {
        script: vec![says("Hello.")],
        outcome: "completed",
        history: &["assistant: Hello."],
        appended: Goes::AsksMore(&["assistant: Hello."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_sequence_completes_a_run() {
    let row = Row {
        script: vec![says("Hello.").stop_reason(StopReason::StopSequence)],
        outcome: "completed",
        history: &["assistant: Hello."],
        appended: Goes::AsksMore(&["assistant: Hello."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn an_empty_reply_completes_a_run_and_is_not_kept() {
    for empty in [ScriptedReply::new(), says("")] {
        let row = Row {
            script: vec![empty],
            outcome: "completed",
            appended: Goes::AsksMore(&[]),
            ..Row::default()
        };
        row.check().await;
    }
}

#[tokio::test(start_paused = true)]
async fn tool_use_without_calls_completes_a_run() {
    let row = Row {
        script: vec![says("Hm.").stop_reason(StopReason::ToolUse)],
        outcome: "completed",
        history: &["assistant: Hm."],
        appended: Goes::AsksMore(&["assistant: Hm."]),
        ..Row::default()
    };
    row.check().await;
}

/// The history of a run that stopped at its limit.
const STOPPED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = Error: Tool 'a' was not run yet + call_1_2 = Error: Tool 'b' was not run yet",
];

/// The same when the calls have run.
const ANSWERED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
];

/// And the model has said what it has.
const FINAL: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
    "assistant: So far.",
];

#[tokio::test(start_paused = true)]
async fn a_capped_run_stays_so_until_the_cap_is_raised() {
    let row = Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: STOPPED,
        ..Row::default()
    };
    row.check().await;
}

// RN-16.
#[tokio::test(start_paused = true)]
async fn a_raised_cap_runs_the_pending_calls_once() {
    let row = Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: STOPPED,
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(ANSWERED),
        appended: Goes::AsksMore(ANSWERED),
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_capped_run_that_answers_has_the_results_at_its_end() {
    let row = || Row {
        script: vec![calls(&["a", "b"])],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::AnswerPending)
        },
        outcome: "capped []",
        history: ANSWERED,
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(9),
        nothing_new: Goes::Asks(ANSWERED),
        appended: Goes::AsksMore(ANSWERED),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_capped_run_with_a_final_turn_has_its_reply_at_the_end() {
    let row = || Row {
        script: vec![calls(&["a", "b"]), says("So far.")],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::FinalTurn)
        },
        outcome: "capped []",
        history: FINAL,
        ran: &["+a", "+b"],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(9),
        appended: Goes::AsksMore(FINAL),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_final_turn_that_calls_tools_all_the_same_runs_none() {
    let row = Row {
        script: vec![calls(&["a"]), calls(&["b"])],
        set: |runner| {
            let runner = runner.max_iterations(1);
            runner.cap_policy(CapPolicy::FinalTurn)
        },
        outcome: "capped [call_2_1]",
        history: &[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: call_2_1 b {}",
            "user: call_2_1 = Error: Tool 'b' was not run yet",
        ],
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_truncated_reply_is_asked_for_again_or_kept_with_what_follows() {
    for (reason, outcome) in [
        (StopReason::MaxTokens, "truncated []"),
        (StopReason::ContextFull, "context full"),
    ] {
        let row = Row {
            script: vec![says("Once upon").stop_reason(reason)],
            outcome,
            nothing_new: Goes::Asks(&[]),
            appended: Goes::AsksMore(&["assistant: Once upon"]),
            ..Row::default()
        };
        row.check().await;
    }
}

// RN-3.
#[tokio::test(start_paused = true)]
async fn a_cut_call_is_dropped_and_the_whole_ones_are_answered_as_not_run() {
    for (reason, outcome) in [
        (StopReason::MaxTokens, "truncated [call_1_2]"),
        (StopReason::ContextFull, "context full"),
    ] {
        let row = Row {
            script: vec![
                says("I")
                    .call("a", json!({}))
                    .call("b", json!({}))
                    .stop_reason(reason),
            ],
            outcome,
            nothing_new: Goes::Asks(&[]),
            appended: Goes::AsksMore(&[
                "assistant: I + call_1_1 a {}",
                "user: call_1_1 = Error: Tool 'a' was not run: the reply was cut off",
            ]),
            ..Row::default()
        };
        row.check().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_of_nothing_but_a_cut_call_leaves_nothing() {
    let row = Row {
        script: vec![calls(&["a"]).stop_reason(StopReason::MaxTokens)],
        outcome: "truncated [call_1_1]",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_before_the_reasoning_that_was_cut_is_whole() {
    let row = Row {
        script: vec![
            calls(&["a"])
                .thinking("And")
                .stop_reason(StopReason::MaxTokens),
        ],
        outcome: "truncated []",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = Error: Tool 'a' was not run: the reply was cut off",
        ]),
        ..Row::default()
    };
    row.check().await;
}

// RN-9.
#[tokio::test(start_paused = true)]
async fn a_refused_reply_is_not_in_the_history() {
    let refusals = [says("I").call("a", json!({})), ScriptedReply::new()];
    for refusal in refusals {
        let row = Row {
            script: vec![refusal.stop_reason(StopReason::Refusal)],
            outcome: "refused []",
            appended: Goes::AsksMore(&[]),
            ..Row::default()
        };
        row.check().await;
    }
}

/// What eleven pauses leave.
const PAUSED: &[&str] = &["assistant: Hm."; 11];

#[tokio::test(start_paused = true)]
async fn a_paused_run_is_resumed_and_what_is_said_meanwhile_waits() {
    let pause = || says("Hm.").stop_reason(StopReason::PauseTurn);
    let row = Row {
        script: (0..11).map(|_| pause()).collect(),
        outcome: "paused",
        history: PAUSED,
        nothing_new: Goes::Asks(PAUSED),
        appended: Goes::Asks(PAUSED),
        ..Row::default()
    };
    row.check().await;
}

const AWAITING_CALLS: &str = "assistant: call_1_1 a {} + call_1_2 ask {}";

#[tokio::test(start_paused = true)]
async fn pauses_count_toward_the_cap() {
    let pause = || says("Hm.").stop_reason(StopReason::PauseTurn);
    let row = || Row {
        script: vec![pause(), pause()],
        set: |runner| runner.max_iterations(2),
        outcome: "capped []",
        history: &["assistant: Hm."; 2],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(&["assistant: Hm."; 2]),
        appended: Goes::Asks(&["assistant: Hm."; 2]),
        ..row()
    };
    raised.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_with_calls_is_tool_use() {
    let row = Row {
        script: vec![calls(&["a"]).stop_reason(StopReason::PauseTurn)],
        outcome: "completed",
        history: &[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: Done.",
        ],
        appended: Goes::AsksMore(&[
            "assistant: call_1_1 a {}",
            "user: call_1_1 = a done",
            "assistant: Done.",
        ]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

/// The history of a run that waits for a decision.
const AWAITING: &[&str] = &[
    AWAITING_CALLS,
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run yet",
];

#[tokio::test(start_paused = true)]
async fn a_run_that_awaits_approval_stays_so_until_it_is_given() {
    let row = Row {
        script: vec![calls(&["a", "ask"])],
        outcome: "awaiting [call_1_2]",
        history: AWAITING,
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_lets_a_run_go_on() {
    let row = || Row {
        script: vec![calls(&["a", "ask"])],
        outcome: "awaiting [call_1_2]",
        history: AWAITING,
        ..Row::default()
    };
    let allowed = Row {
        then: |runner| runner.decide("call_1_2", Decision::Allow).unwrap(),
        nothing_new: Goes::Asks(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = ask done",
        ]),
        appended: Goes::AsksMore(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = ask done",
        ]),
        ran: &["+a", "+ask"],
        ..row()
    };
    allowed.check().await;
    let denied = Row {
        then: |runner| {
            runner
                .decide("call_1_2", Decision::Deny("late".into()))
                .unwrap()
        },
        nothing_new: Goes::Asks(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was denied: late",
        ]),
        appended: Goes::AsksMore(&[
            AWAITING_CALLS,
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was denied: late",
        ]),
        ran: &["+a"],
        ..row()
    };
    denied.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_a_handler_waits_for_its_answer() {
    let row = Row {
        script: vec![calls(&["person"])],
        request: || {
            let schema = json!({"type": "object"});
            request().tool(ToolDefinition::new("person", "", schema).unwrap())
        },
        outcome: "awaiting [call_1_1]",
        history: &[
            "assistant: call_1_1 person {}",
            "user: call_1_1 = Error: Tool 'person' was not run yet",
        ],
        then: |runner| {
            let answer = Decision::Answer(ToolOutput::text("Blue."));
            runner.decide("call_1_1", answer).unwrap();
        },
        nothing_new: Goes::Asks(&["assistant: call_1_1 person {}", "user: call_1_1 = Blue."]),
        appended: Goes::AsksMore(&["assistant: call_1_1 person {}", "user: call_1_1 = Blue."]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_while_it_asks_is_as_before() {
    let row = || Row {
        script: vec![says("Hello").wait(Duration::from_secs(1)).text("!")],
        way: Way::Cancelled(500),
        outcome: "cancelled",
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..row()
    };
    with_another_token.check().await;
}

/// The calls of a run that is cancelled while they run, two at a time: one is done, two run, one has not begun.
const STARTED: &str =
    "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + call_1_4 b {}";

#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_while_calls_run_keeps_what_has_run() {
    let row = || Row {
        script: vec![calls(&["a", "slow", "again", "b"])],
        way: Way::Cancelled(500),
        set: |runner| runner.max_concurrent_tools(2),
        outcome: "cancelled",
        history: &[
            STARTED,
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown \
             + call_1_4 = Error: Tool 'b' was interrupted before it started",
        ],
        ran: &["+a", "+slow", "+again"],
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(&[STARTED, STOPPED_AND_REPEATED]),
        appended: Goes::AsksMore(&[STARTED, STOPPED_AND_REPEATED]),
        ran: &["+a", "+slow", "+again", "+again"],
        ..row()
    };
    with_another_token.check().await;
}

const STOPPED_AND_REPEATED: &str = "user: call_1_1 = a done \
     + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
     + call_1_3 = again done \
     + call_1_4 = Error: Tool 'b' was interrupted before it started";

/// What two failing calls of one kind leave.
const LOOPED: &[&str] = &[
    "assistant: call_1_1 fails {}",
    "user: call_1_1 = Error: no luck",
    "assistant: call_2_1 fails {}",
    "user: call_2_1 = Error: no luck",
];

#[tokio::test(start_paused = true)]
async fn a_looping_run_has_the_result_in_its_history_and_asks_once_more() {
    let row = Row {
        script: vec![calls(&["fails"]), calls(&["fails"])],
        set: |runner| runner.stop_after_repeats(2),
        outcome: "looping [call_2_1]",
        history: LOOPED,
        nothing_new: Goes::Asks(LOOPED),
        appended: Goes::AsksMore(LOOPED),
        ran: &["+fails", "+fails"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_reason_without_calls_is_an_end_with_the_reply() {
    let row = Row {
        script: vec![says("Hm.").stop_reason(StopReason::Other("out_of_ink".into()))],
        outcome: "out_of_ink []",
        history: &["assistant: Hm."],
        appended: Goes::AsksMore(&["assistant: Hm."]),
        ..Row::default()
    };
    row.check().await;
}

/// Calls of a reply that ended otherwise.
const UNFIT: &str = "assistant: call_1_1 a {} + call_1_2 b {}";

// RN-17, the loop's side.
#[tokio::test(start_paused = true)]
async fn calls_of_a_reply_with_an_unknown_reason_are_answered_as_not_run() {
    let row = Row {
        script: vec![calls(&["a", "b"]).stop_reason(StopReason::Other("out_of_ink".into()))],
        outcome: "out_of_ink [call_1_1 call_1_2]",
        history: &[UNFIT, OUT_OF_INK],
        nothing_new: Goes::Asks(&[UNFIT, OUT_OF_INK]),
        appended: Goes::AsksMore(&[UNFIT, OUT_OF_INK]),
        ..Row::default()
    };
    row.check().await;
}

const OUT_OF_INK: &str = "user: call_1_1 = Error: Tool 'a' was not run: the reply ended with out_of_ink \
     + call_1_2 = Error: Tool 'b' was not run: the reply ended with out_of_ink";

#[tokio::test(start_paused = true)]
async fn calls_of_a_reply_that_ends_its_turn_are_answered_as_not_run() {
    let row = Row {
        script: vec![calls(&["a", "b"]).stop_reason(StopReason::EndTurn)],
        outcome: "end_turn [call_1_1 call_1_2]",
        history: &[UNFIT, END_TURN],
        nothing_new: Goes::Asks(&[UNFIT, END_TURN]),
        appended: Goes::AsksMore(&[UNFIT, END_TURN]),
        ..Row::default()
    };
    row.check().await;
}

const END_TURN: &str = "user: call_1_1 = Error: Tool 'a' was not run: the reply ended with end_turn \
     + call_1_2 = Error: Tool 'b' was not run: the reply ended with end_turn";

#[tokio::test(start_paused = true)]
async fn a_truncated_reply_whose_calls_have_begun_is_kept_and_answered() {
    let row = Row {
        script: vec![
            begun("a")
                .call("ask", json!({}))
                .call("b", json!({}))
                .stop_reason(StopReason::MaxTokens),
        ],
        way: Way::Eager,
        outcome: "truncated [call_1_3]",
        history: EAGER_CUT,
        nothing_new: Goes::Asks(EAGER_CUT),
        appended: Goes::AsksMore(EAGER_CUT),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_CUT: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 ask {}",
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run: the reply was cut off",
];

#[tokio::test(start_paused = true)]
async fn a_call_that_has_begun_is_kept_though_the_reasoning_behind_it_is_cut() {
    let row = Row {
        script: vec![
            calls(&["a"])
                .thinking("And")
                .stop_reason(StopReason::MaxTokens),
        ],
        way: Way::Eager,
        outcome: "truncated []",
        history: &["assistant: call_1_1 a {}", "user: call_1_1 = a done"],
        nothing_new: Goes::Asks(&["assistant: call_1_1 a {}", "user: call_1_1 = a done"]),
        appended: Goes::AsksMore(&["assistant: call_1_1 a {}", "user: call_1_1 = a done"]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn no_call_begins_early_where_the_cap_would_hold_it() {
    let row = || Row {
        script: vec![begun("a").call("b", json!({}))],
        way: Way::Eager,
        set: |runner| runner.max_iterations(1),
        outcome: "capped [call_1_1 call_1_2]",
        history: &[
            "assistant: call_1_1 a {} + And + call_1_2 b {}",
            "user: call_1_1 = Error: Tool 'a' was not run yet + call_1_2 = Error: Tool 'b' was not run yet",
        ],
        ran: &[],
        ..Row::default()
    };
    row().check().await;
    let raised = Row {
        then: |runner| runner.set_max_iterations(0),
        nothing_new: Goes::Asks(EAGER_ANSWERED),
        appended: Goes::AsksMore(EAGER_ANSWERED),
        ran: &["+a", "+b"],
        ..row()
    };
    raised.check().await;
}

const EAGER_ANSWERED: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = b done",
];

#[tokio::test(start_paused = true)]
async fn calls_that_have_begun_have_run_while_others_await_approval() {
    let row = Row {
        script: vec![begun("a").call("ask", json!({}))],
        way: Way::Eager,
        outcome: "awaiting [call_1_2]",
        history: &[
            "assistant: call_1_1 a {} + And + call_1_2 ask {}",
            "user: call_1_1 = a done + call_1_2 = Error: Tool 'ask' was not run yet",
        ],
        then: |runner| runner.decide("call_1_2", Decision::Allow).unwrap(),
        nothing_new: Goes::Asks(EAGER_APPROVED),
        appended: Goes::AsksMore(EAGER_APPROVED),
        ran: &["+a", "+ask"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_APPROVED: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 ask {}",
    "user: call_1_1 = a done + call_1_2 = ask done",
];

#[tokio::test(start_paused = true)]
async fn a_refused_reply_tells_the_calls_that_have_begun() {
    let row = Row {
        script: vec![
            begun("a")
                .call("b", json!({}))
                .stop_reason(StopReason::Refusal),
        ],
        way: Way::Eager,
        outcome: "refused [call_1_1]",
        appended: Goes::AsksMore(&[]),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_breaks_after_calls_have_begun_is_kept_up_to_its_last_whole_block() {
    let row = Row {
        script: vec![begun("a").call("b", json!({})).breaks()],
        way: Way::Eager,
        outcome: "error",
        history: EAGER_BROKEN,
        nothing_new: Goes::Asks(EAGER_BROKEN),
        appended: Goes::AsksMore(EAGER_BROKEN),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_BROKEN: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'b' was not run: the reply was cut off",
];

#[tokio::test(start_paused = true)]
async fn a_reply_that_breaks_before_a_call_has_begun_leaves_nothing() {
    let row = Row {
        script: vec![says("I").call("a", json!({})).breaks()],
        way: Way::Eager,
        outcome: "error",
        nothing_new: Goes::Asks(&[]),
        appended: Goes::AsksMore(&[]),
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_dropped_stream_keeps_the_calls_that_have_begun() {
    let row = Row {
        script: vec![
            calls(&["a", "slow", "again"])
                .text("And")
                .wait(Duration::from_secs(9)),
        ],
        way: Way::Dropped(500),
        outcome: "dropped",
        history: &[
            "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown",
        ],
        nothing_new: Goes::Asks(EAGER_DROPPED),
        appended: Goes::AsksMore(EAGER_DROPPED),
        ran: &["+a", "+slow", "+again", "+again"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_DROPPED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
    "user: call_1_1 = a done \
     + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
     + call_1_3 = again done",
];

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_dropped_behind_its_reply_runs_no_call_again() {
    let row = Row {
        script: vec![calls(&["a", "slow", "again"]).text("And")],
        way: Way::Dropped(500),
        outcome: "dropped",
        history: &[
            "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 again {} + And",
            "user: call_1_1 = a done \
             + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
             + call_1_3 = Error: Tool 'again' was interrupted; whether it took effect is unknown",
        ],
        nothing_new: Goes::Asks(EAGER_DROPPED),
        appended: Goes::AsksMore(EAGER_DROPPED),
        ran: &["+a", "+slow", "+again", "+again"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_stream_keeps_the_calls_that_have_begun() {
    let row = || Row {
        script: vec![calls(&["a", "slow", "b"]).wait(Duration::from_secs(9))],
        way: Way::EagerCancelled(500),
        outcome: "cancelled",
        history: EAGER_CANCELLED,
        ran: &["+a", "+slow"],
        ..Row::default()
    };
    row().check().await;
    let with_another_token = Row {
        then: new_token,
        nothing_new: Goes::Asks(EAGER_CANCELLED),
        appended: Goes::AsksMore(EAGER_CANCELLED),
        ..row()
    };
    with_another_token.check().await;
}

const EAGER_CANCELLED: &[&str] = &[
    "assistant: call_1_1 a {} + call_1_2 slow {} + call_1_3 b {}",
    "user: call_1_1 = a done \
     + call_1_2 = Error: Tool 'slow' was interrupted; whether it took effect is unknown \
     + call_1_3 = Error: Tool 'b' was not run: the reply was cut off",
];

#[tokio::test(start_paused = true)]
async fn calls_that_have_begun_are_answered_though_the_reason_does_not_fit() {
    let row = Row {
        script: vec![
            begun("a")
                .call("b", json!({}))
                .stop_reason(StopReason::EndTurn),
        ],
        way: Way::Eager,
        outcome: "end_turn [call_1_2]",
        history: EAGER_UNFIT,
        nothing_new: Goes::Asks(EAGER_UNFIT),
        appended: Goes::AsksMore(EAGER_UNFIT),
        ran: &["+a"],
        ..Row::default()
    };
    row.check().await;
}

const EAGER_UNFIT: &[&str] = &[
    "assistant: call_1_1 a {} + And + call_1_2 b {}",
    "user: call_1_1 = a done + call_1_2 = Error: Tool 'b' was not run: the reply ended with end_turn",
];

// RN-9, with another model.
#[tokio::test(start_paused = true)]
async fn calls_that_were_set_aside_are_neither_run_nor_answered() {
    let set_aside = || calls(&["a", "b"]).set_aside().call("b", json!({}));
    let row = |way, ran| Row {
        script: vec![set_aside()],
        way,
        set: |runner| runner.max_iterations(2),
        outcome: "completed",
        history: &[
            "assistant: <tool_use> + <tool_use> + call_1_3 b {}",
            "user: call_1_3 = b done",
            "assistant: Done.",
        ],
        then: |runner| runner.set_max_iterations(0),
        appended: Goes::AsksMore(&[
            "assistant: <tool_use> + <tool_use> + call_1_3 b {}",
            "user: call_1_3 = b done",
            "assistant: Done.",
        ]),
        ran,
        ..Row::default()
    };
    row(Way::Whole, &["+b"]).check().await;
    // The first one had begun. The second had not: nothing stands behind it.
    row(Way::Eager, &["+a", "+b"]).check().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_tells_the_calls_that_had_begun_and_were_abandoned() {
    let ends: [(ScriptedReply, &[&str]); 2] = [
        (calls(&["a", "b"]).set_aside().text("Hi"), &["call_1_1"]),
        (begun("a").stop_reason(StopReason::Refusal), &["call_1_1"]),
    ];
    for (reply, abandoned) in ends {
        let log = Log::new();
        let model = ScriptedModel::new().reply(reply);
        let mut runner = Runner::new(model, toolkit(&log), request()).eager(true);
        let mut told = Vec::new();
        let mut events = runner.all_streaming();
        while let Some(event) = events.next().await {
            if let Event::End(end) = event.unwrap() {
                told = end.abandoned;
            }
        }
        let ids: Vec<_> = told.iter().map(|call| call.id().to_owned()).collect();
        assert_eq!(ids, abandoned);
    }
}

#[tokio::test(start_paused = true)]
async fn server_tools_are_neither_run_nor_answered() {
    // RN-8, the loop's side.
    let search = json!({"type": "server_tool_use", "id": "s", "name": "a", "input": {}});
    let search = Content::other(Api::TESTING, search.into());
    let row = Row {
        script: vec![ScriptedReply::new().content(search).call("b", json!({}))],
        outcome: "completed",
        history: &[
            "assistant: <server_tool_use> + call_1_1 b {}",
            "user: call_1_1 = b done",
            "assistant: Done.",
        ],
        appended: Goes::AsksMore(&[
            "assistant: <server_tool_use> + call_1_1 b {}",
            "user: call_1_1 = b done",
            "assistant: Done.",
        ]),
        ran: &["+b"],
        ..Row::default()
    };
    row.check().await;
}

#[tokio::test(start_paused = true)]
async fn the_outcome_of_a_run_that_goes_on_is_none() {
    let log = Log::new();
    let model = ScriptedModel::new().reply(calls(&["a"])).text("Done.");
    let mut runner = Runner::new(model, toolkit(&log), request());
    assert_eq!(runner.outcome(), None);
    runner.next_message().await.unwrap();
    assert_eq!(runner.outcome(), None);
    runner.next_message().await.unwrap();
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
}
