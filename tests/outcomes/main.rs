//! The table of outcomes: what each leaves in the history, and what is then sent when the run goes on.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod completed;
mod eager;
mod waiting;

use std::time::Duration;

use haft::serde_json::{self, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Api, CancellationToken, Event, Message, Request, Runner, StreamExt, Toolkit};
use haft_tests::lines::{history, outcome, request};
use haft_tests::log::Log;
use haft_tests::over;
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
        Some([said(lines), said(more)].concat())
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
        let runner = Runner::new(over::model(model.clone()), toolkit(&log), (self.request)());
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
        assert_eq!(
            after_go(&runner.messages()),
            said(self.history),
            "{column:?}"
        );
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
    let resumed = Runner::resume(over::model(model.clone()), toolkit(log), state).unwrap();
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
    over::and(calls(&[name])).wait(Duration::from_millis(100))
}

/// Lines of a history without the words of [`begun`], where the API has no place for them.
fn said(lines: &[&str]) -> Vec<String> {
    let is_without = over::api() == Some(Api::OPENAI_CHAT);
    let said = |line: &&str| match line.strip_prefix("assistant: call_1_1 a {} + And + ") {
        Some(rest) if is_without => format!("assistant: call_1_1 a {{}} + {rest}"),
        _ => (*line).to_owned(),
    };
    lines.iter().map(said).collect()
}

fn new_token(runner: &mut Runner) {
    runner.set_cancellation(CancellationToken::new());
}
