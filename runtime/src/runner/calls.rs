//! [`Calls`]: the calls of one reply, and what has become of each. Pure; `plan.rs` says which may go on.
//!
//! A start and a result are kept from the moment they exist, so that nothing that happens later makes a call run
//! twice. Work that is under way (a tool, a hook) is not kept here: where its future is dropped, the call stands as it
//! stood before, or as started.

use serde::{Deserialize, Serialize};

use super::answers::denied;
use super::hook::Decision;
use crate::dispatch;
use crate::json::RawJson;
use crate::message::{Content, Message, ToolCall, ToolResult};

/// The calls of one reply, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    entries: Vec<Entry>,
    /// All before this place are finished.
    finished: usize,
}

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
        let mut begun = begun.entries.into_iter().peekable();
        let content = message.content().iter().enumerate();
        let calls = content.filter_map(|(index, block)| Some((index, block.as_tool_call()?)));
        let entry = |(index, call): (usize, &ToolCall)| {
            while begun.next_if(|entry| entry.index < index).is_some() {}
            let known = begun.next_if(|entry| entry.index == index);
            known.unwrap_or_else(|| Entry::new(index, call.clone()))
        };
        Self {
            entries: calls.map(entry).collect(),
            finished: 0,
        }
    }

    pub(super) fn of_entries(entries: impl Iterator<Item = Entry>) -> Self {
        let mut calls = Self::default();
        entries.for_each(|entry| calls.push(entry));
        calls
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = Entry> {
        self.entries.into_iter()
    }

    /// Adds a call in its place.
    pub(super) fn push(&mut self, entry: Entry) {
        let at = self
            .entries
            .partition_point(|other| other.index < entry.index);
        let there = self.entries.get(at);
        if there.is_none_or(|other| other.index != entry.index) {
            self.entries.insert(at, entry);
            self.finished = self.finished.min(at);
        }
    }

    /// Whether all that have begun are among the calls of this reply, each in its place and with its input.
    pub(super) fn are_in(&self, message: &Message) -> bool {
        let mut begun = self.iter().filter(|entry| entry.has_begun);
        begun.all(|entry| {
            let block = message.content().get(entry.index);
            let call = block.and_then(Content::as_tool_call);
            call.is_some_and(|call| *call == entry.call)
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    /// The call whose block stands at `index` of the reply.
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Entry> {
        let at = self
            .entries
            .binary_search_by_key(&index, |entry| entry.index);
        self.entries.get_mut(at.ok()?)
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

    /// Those that are not known to be finished.
    pub(super) fn unfinished(&mut self) -> &mut [Entry] {
        self.ended_and_left().1
    }

    /// Those that are known to be finished, and those that are not.
    pub(super) fn ended_and_left(&mut self) -> (&[Entry], &mut [Entry]) {
        let behind = self.entries.iter().skip(self.finished);
        self.finished += behind.take_while(|entry| entry.is_finished()).count();
        let halves = self.entries.split_at_mut_checked(self.finished);
        let (ended, left) = halves.unwrap_or_default();
        (ended, left)
    }

    /// Forgets what was at work when its future was dropped, and what hooks have allowed: those of today decide.
    pub(super) fn begin_anew(&mut self) {
        for entry in &mut self.entries {
            entry.is_busy = false;
            if entry.stage == Stage::Ready && !entry.is_allowed && !entry.has_begun {
                (entry.stage, entry.input) = (Stage::Waiting, None);
            }
        }
    }
}
