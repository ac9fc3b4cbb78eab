//! [`Calls`]: the calls of one reply, what has become of each, and which may go on. Pure.
//!
//! A start and a result are kept from the moment they exist, so that nothing that happens later makes a call run
//! twice. Work that is under way (a tool, a hook) is not kept here: where its future is dropped, the call stands as it
//! stood before, or as started.

use serde::{Deserialize, Serialize};

use super::hook::Decision;
use crate::dispatch;
use crate::json::RawJson;
use crate::message::{Message, ToolCall, ToolResult};

/// The calls of one reply, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls(Vec<Entry>);

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its block's place in the reply.
    pub(super) index: usize,
    pub(super) call: ToolCall,
    pub(super) stage: Stage,
    /// Whether the program has allowed it, so that nobody is asked again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_allowed: bool,
    /// Whether its tool has started, so that its effect may be there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_begun: bool,
    /// What it runs with instead of its own input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<RawJson>,
    /// Whether a tool or a hook is at work on it. Not of the state: what was at work is gone with its future.
    #[serde(skip)]
    pub(super) is_busy: bool,
}

/// What has become of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// Nothing yet.
    Waiting,
    /// It may run.
    Ready,
    /// It is for the program to decide on, or to answer.
    Suspended,
    /// It runs, or was interrupted while it ran.
    Started,
    /// It has run, and hooks are yet to see the result.
    Ran(ToolResult),
    /// It is answered.
    Finished(ToolResult),
}

/// What is to be done with a call next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Ask the hooks whether it may run.
    Decide,
    /// Run it.
    Run,
    /// Show its result to the hooks.
    Review,
    /// Ask the hooks about a call that was interrupted.
    Recover,
}

/// What the planning of jobs goes by.
pub(super) struct Rules<'a> {
    pub(super) max_running: Option<usize>,
    /// Whether no other call may run beside it.
    pub(super) is_exclusive: &'a (dyn Fn(&ToolCall) -> bool + Sync),
    /// Whether it may start already; while a reply arrives, not all may.
    pub(super) may_begin: &'a (dyn Fn(&Entry) -> bool + Sync),
}

impl Entry {
    pub(super) const fn new(index: usize, call: ToolCall) -> Self {
        Self {
            index,
            call,
            stage: Stage::Waiting,
            is_allowed: false,
            has_begun: false,
            input: None,
            is_busy: false,
        }
    }

    /// Whether nothing has become of it yet.
    pub(super) const fn is_yet_to_run(&self) -> bool {
        matches!(self.stage, Stage::Waiting | Stage::Ready | Stage::Suspended)
    }

    pub(super) const fn is_finished(&self) -> bool {
        matches!(self.stage, Stage::Finished(_))
    }

    pub(super) const fn result(&self) -> Option<&ToolResult> {
        match &self.stage {
            Stage::Ran(result) | Stage::Finished(result) => Some(result),
            _ => None,
        }
    }

    /// What it runs with: what a hook or the program gave, or what the model wrote.
    pub(super) fn input_to_run(&self) -> &RawJson {
        self.input.as_ref().unwrap_or_else(|| self.call.input())
    }

    /// The call with the input that it runs with.
    pub(super) fn to_run(&self) -> ToolCall {
        self.call.with_input(self.input_to_run().clone())
    }

    const fn is_running(&self) -> bool {
        self.is_busy && matches!(self.stage, Stage::Started)
    }

    /// Whether something can be done with it before the program has its say.
    const fn may_go_on(&self) -> bool {
        !matches!(self.stage, Stage::Suspended | Stage::Finished(_))
    }

    fn job(&self, rules: &Rules<'_>) -> Option<Job> {
        match self.stage {
            _ if self.is_busy => None,
            Stage::Waiting | Stage::Ready if !(rules.may_begin)(self) => None,
            Stage::Waiting => Some(Job::Decide),
            Stage::Ready => Some(Job::Run),
            Stage::Started => Some(Job::Recover),
            Stage::Ran(_) => Some(Job::Review),
            Stage::Suspended | Stage::Finished(_) => None,
        }
    }

    /// Answers it in place of its tool.
    pub(super) fn answer(&mut self, text: impl FnOnce(&ToolCall) -> String) {
        self.stage = Stage::Ran(ToolResult::error(&self.call, text(&self.call)));
    }

    /// What a hook or the program has decided. `held` says whether a call that may run waits for the program all the
    /// same.
    pub(super) fn decide(&mut self, decision: Decision, held: impl FnOnce(&Self) -> bool) {
        match decision {
            Decision::Allow => {}
            Decision::Replace(input) => self.input = Some(input),
            Decision::Suspend => return self.stage = Stage::Suspended,
            Decision::Deny(reason) => return self.answer(|call| denied(call, &reason)),
            Decision::Answer(output) => {
                let identity = self.call.identity().clone();
                return self.stage = Stage::Ran(dispatch::result(identity, Ok(output)));
            }
        }
        self.stage = if !self.is_allowed && held(self) {
            Stage::Suspended
        } else {
            Stage::Ready
        };
    }
}

impl Calls {
    /// The calls of a whole reply. Those of `begun` that are among them stand as they stood there.
    pub(super) fn of(message: &Message, begun: Self) -> Self {
        let mut begun = begun.0.into_iter().peekable();
        let content = message.content().iter().enumerate();
        let calls = content.filter_map(|(index, block)| Some((index, block.as_tool_call()?)));
        let entry = |(index, call): (usize, &ToolCall)| {
            while begun.next_if(|entry| entry.index < index).is_some() {}
            let known = begun.next_if(|entry| entry.index == index);
            known.unwrap_or_else(|| Entry::new(index, call.clone()))
        };
        Self(calls.map(entry).collect())
    }

    pub(super) fn of_entries(entries: impl Iterator<Item = Entry>) -> Self {
        let mut calls = Self::default();
        entries.for_each(|entry| calls.push(entry));
        calls
    }

    pub(super) fn push(&mut self, entry: Entry) {
        let at = self.0.partition_point(|other| other.index < entry.index);
        if self
            .0
            .get(at)
            .is_none_or(|other| other.index != entry.index)
        {
            self.0.insert(at, entry);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.0.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.0.iter_mut()
    }

    /// The call whose block stands at `index` of the reply.
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Entry> {
        let at = self.0.binary_search_by_key(&index, |entry| entry.index);
        self.0.get_mut(at.ok()?)
    }

    /// The calls that have begun.
    pub(super) fn begun(&self) -> impl Iterator<Item = &ToolCall> {
        let begun = self.iter().filter(|entry| entry.has_begun);
        begun.map(|entry| &entry.call)
    }

    /// The calls without an answer.
    pub(super) fn open(&self) -> impl Iterator<Item = &Entry> {
        self.iter().filter(|entry| !entry.is_finished())
    }

    /// Forgets what was at work when its future was dropped.
    pub(super) fn nothing_is_busy(&mut self) {
        for entry in &mut self.0 {
            entry.is_busy = false;
        }
    }

    /// The next thing that can be done beside what is at work, by the call's index.
    pub(super) fn next_job(&self, rules: &Rules<'_>) -> Option<(usize, Job)> {
        let running = self.0.iter().filter(|entry| entry.is_running()).count();
        let has_room = rules.max_running.is_none_or(|most| running < most);
        // Whether an earlier call is yet to end, and whether one of these must be alone.
        let (mut is_behind, mut is_barred) = (false, false);
        for entry in self.0.iter().filter(|entry| entry.may_go_on()) {
            let is_exclusive = (rules.is_exclusive)(&entry.call);
            let may_run = has_room && !is_barred && !(is_exclusive && (is_behind || running > 0));
            match entry.job(rules) {
                Some(Job::Run) if !may_run => {}
                Some(job) => return Some((entry.index, job)),
                None => {}
            }
            is_behind = true;
            is_barred |= is_exclusive;
        }
        None
    }
}

/// What the model is told of a call that the program does not want.
fn denied(call: &ToolCall, reason: &str) -> String {
    let name = call.name();
    match reason.trim() {
        "" => format!("Error: Tool '{name}' was denied"),
        reason => format!("Error: Tool '{name}' was denied: {reason}"),
    }
}

/// What the model is told of a call that was cancelled before it began.
pub(super) fn not_started(call: &ToolCall) -> String {
    format!(
        "Error: Tool '{}' was interrupted before it started",
        call.name()
    )
}

/// What the model is told of a call in a reply that ended otherwise.
pub(super) fn not_run(call: &ToolCall, reason: &str) -> String {
    format!("Error: Tool '{}' was not run: {reason}", call.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Content, Role};

    /// Calls of these tools, which nothing holds up. One named `x` runs alone.
    fn calls(names: &[&str]) -> Calls {
        let call =
            |name: &&str| Content::ToolCall(ToolCall::new(*name, *name, RawJson::empty_object()));
        let message = Message::new(Role::Assistant, names.iter().map(call).collect());
        let mut calls = Calls::of(&message, Calls::default());
        for entry in calls.iter_mut() {
            entry.stage = Stage::Ready;
        }
        calls
    }

    /// Starts all that can start now; their indexes.
    fn start(calls: &mut Calls, max_running: Option<usize>) -> Vec<usize> {
        let rules = Rules {
            max_running,
            is_exclusive: &|call| call.name() == "x",
            may_begin: &|_| true,
        };
        let mut started = Vec::new();
        while let Some((index, job)) = calls.next_job(&rules) {
            assert_eq!(job, Job::Run);
            let entry = calls.get_mut(index).unwrap();
            (entry.stage, entry.is_busy) = (Stage::Started, true);
            started.push(index);
        }
        started
    }

    fn end(calls: &mut Calls, indexes: &[usize]) {
        for index in indexes {
            let entry = calls.get_mut(*index).unwrap();
            entry.stage = Stage::Finished(ToolResult::new(&entry.call, Vec::new()));
            entry.is_busy = false;
        }
    }

    /// The calls that start together, batch after batch, where each batch ends as one.
    fn batches(mut calls: Calls, max_running: Option<usize>) -> Vec<Vec<usize>> {
        let mut batches = Vec::new();
        loop {
            let batch = start(&mut calls, max_running);
            if batch.is_empty() {
                return batches;
            }
            end(&mut calls, &batch);
            batches.push(batch);
        }
    }

    #[test]
    fn an_exclusive_call_runs_alone_and_in_its_place() {
        let batches = |names: &[&str]| batches(calls(names), None);
        assert_eq!(batches(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(batches(&["a", "b"]), [vec![0, 1]]);
        assert_eq!(batches(&["x"]), [vec![0]]);
        assert_eq!(
            batches(&["a", "b", "x", "c"]),
            [vec![0, 1], vec![2], vec![3]]
        );
        assert_eq!(batches(&["x", "x", "a"]), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn no_more_than_allowed_run_side_by_side() {
        assert_eq!(
            batches(calls(&["a", "b", "c"]), Some(2)),
            [vec![0, 1], vec![2]]
        );
        let mut calls = calls(&["a", "b", "c"]);
        assert_eq!(start(&mut calls, Some(2)), [0, 1]);
        end(&mut calls, &[1]);
        assert_eq!(start(&mut calls, Some(2)), [2], "as soon as there is room");
    }

    #[test]
    fn a_call_that_waits_for_the_program_holds_up_no_other() {
        let mut calls = calls(&["a", "x", "b", "x"]);
        calls.get_mut(1).unwrap().stage = Stage::Suspended;
        assert_eq!(batches(calls, None), [vec![0, 2], vec![3]]);
    }

    #[test]
    fn what_has_begun_while_the_reply_arrived_stands_as_it_stood() {
        let whole = calls(&["a", "b", "c"]);
        let mut begun = calls(&["a", "b", "c"]);
        begun.0.remove(0);
        begun.get_mut(1).unwrap().stage = Stage::Started;
        let content = whole
            .iter()
            .map(|entry| Content::ToolCall(entry.call.clone()));
        let message = Message::new(Role::Assistant, content.collect());
        let merged = Calls::of(&message, begun);
        let stages: Vec<_> = merged.iter().map(|entry| &entry.stage).collect();
        assert_eq!(stages, [&Stage::Waiting, &Stage::Started, &Stage::Ready]);
    }
}
