//! What has to hold for the end of a run: its outcome fits the last reply, by the table of the design.

use haft::{End, Message, Outcome, Runner, StopReason, ToolCall};

use crate::cast::Owner;
use crate::history::repeated;
use crate::key::Key;
use crate::world::{Attempt, Record, Word, World};

/// All outcomes that there are.
const fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Capped { .. } => "capped",
        Outcome::Truncated { .. } => "truncated",
        Outcome::ContextFull => "full",
        Outcome::Refused { .. } => "refused",
        Outcome::Paused => "paused",
        Outcome::AwaitingApproval { .. } => "awaiting approval",
        Outcome::Cancelled => "cancelled",
        Outcome::Looping { .. } => "looping",
        Outcome::Unknown { .. } => "unknown",
        _ => "new",
    }
}

impl World {
    /// The outcome as it stands between two actions.
    pub(crate) fn judge_outcome(&mut self, runner: &Runner) {
        let Some(outcome) = runner.outcome() else {
            return;
        };
        if !self.fits(&outcome, runner) {
            let reason = self.last_delivered().and_then(Attempt::stop_reason);
            let fault = format!("{outcome:?} after {reason:?}");
            self.fault(fault);
        }
        self.seen.insert(name(&outcome));
        if let Outcome::Looping { .. } = outcome {
            self.set.repeats_are_new = true;
        }
    }

    fn fits(&self, outcome: &Outcome, runner: &Runner) -> bool {
        if *outcome == Outcome::Cancelled {
            return self.token_is_cancelled();
        }
        if let Outcome::Capped { pending } = outcome {
            return self.is_capped() && self.are_open(pending);
        }
        if let Outcome::Looping { call } = outcome {
            return self.is_looping(call, runner);
        }
        // Also calls of a reply that was cut may wait, once they had started.
        if let Outcome::AwaitingApproval { calls } = outcome {
            return !calls.is_empty() && self.wait(calls) && self.are_open(calls);
        }
        let Some(last) = self.last_delivered() else {
            return false;
        };
        let Some(reason) = last.stop_reason() else {
            return false;
        };
        match outcome {
            Outcome::Completed => {
                let is_natural = matches!(
                    reason,
                    StopReason::EndTurn | StopReason::StopSequence | StopReason::ToolUse
                );
                is_natural && !last.has_calls()
            }
            Outcome::Truncated { incomplete } => {
                *reason == StopReason::MaxTokens && incomplete.as_ref() == last.cut_call()
            }
            Outcome::ContextFull => *reason == StopReason::ContextFull,
            Outcome::Refused { started, .. } => {
                *reason == StopReason::Refusal && self.have_run(started)
            }
            Outcome::Paused => last.is_pause() && self.pauses > 10,
            Outcome::Unknown {
                stop_reason,
                pending,
            } => stop_reason == reason && !last.wants_calls() && self.are_open(pending),
            _ => false,
        }
    }

    fn is_looping(&self, call: &ToolCall, runner: &Runner) -> bool {
        if self.set.repeats_are_new || self.is_put_back || self.is_edited {
            return true;
        }
        let shown = runner.messages();
        let mut calls = shown.iter().flat_map(Message::tool_calls);
        calls.any(|other| other == call) && repeated(&shown, self.set.most_repeats, true).is_some()
    }

    /// None of these has come to an end by itself.
    fn are_open(&self, calls: &[ToolCall]) -> bool {
        let mut records = calls.iter().filter_map(|call| self.record(call));
        records.all(|record| record.ending().is_none())
    }

    /// The program has put a result for one of these into the history.
    pub(crate) fn are_answered(&self, calls: &[ToolCall]) -> bool {
        let mut records = calls.iter().filter_map(|call| self.record(call));
        records.any(|record| record.is_answered)
    }

    fn have_run(&self, calls: &[ToolCall]) -> bool {
        let mut records = calls.iter().filter_map(|call| self.record(call));
        records.all(Record::may_be_eager)
    }

    /// Each of these waits for the program: somebody has said so, and its reply wants it, or it had started.
    fn wait(&self, calls: &[ToolCall]) -> bool {
        let is_wanted = self.last_delivered().is_some_and(Attempt::wants_calls);
        let mut records = calls.iter().map(|call| self.record(call));
        records.all(|record| {
            record.is_some_and(|record| {
                let said = record.before.iter().chain(&record.recovered);
                let is_held = record.part.needs_approval || record.part.is_of == Owner::Request;
                let is_suspended = said.last() == Some(&Word::Suspend);
                let was_let = record.decided.last().is_some_and(|word| word.lets_run());
                let is_said = is_suspended || (is_held && !was_let);
                is_said && (is_wanted || record.was_left || !record.runs.is_empty())
            })
        })
    }

    fn record(&self, call: &ToolCall) -> Option<&Record> {
        self.calls.get(&Key::find(call.input().as_str())?)
    }

    /// The end as it was told.
    pub(crate) fn judge_end(&mut self, end: &End) {
        let fault = self.end_fault(end);
        if let Some(fault) = fault {
            self.fault(format!("the end: {fault}"));
        }
        if !end.abandoned.is_empty() {
            self.seen.insert("given up");
        }
    }

    fn end_fault(&self, end: &End) -> Option<String> {
        let last = self.last_delivered().and_then(|last| last.reply.as_ref());
        if last.is_some_and(|reply| *reply != end.reply) {
            return Some(format!("it has the reply {}", end.reply.id()));
        }
        let given_up: Vec<_> = end
            .abandoned
            .iter()
            .filter_map(|call| Key::find(call.input().as_str()))
            .collect();
        let run = self
            .calls
            .iter()
            .filter(|(_, record)| !record.runs.is_empty());
        let mut wanted = run
            .map(|(key, _)| *key)
            .filter(|key| self.is_given_up(*key));
        let missing = wanted.find(|key| !given_up.contains(key));
        let odd = |key: &&Key| !self.calls[*key].may_be_eager() || !self.is_given_up(**key);
        let odd = given_up.iter().find(odd);
        let fault = |(key, what): (Key, &str)| format!("{key} is {what} among {given_up:?}");
        let missing = missing.map(|key| (key, "missing"));
        missing.or(odd.map(|key| (*key, "wrongly"))).map(fault)
    }

    /// What a run has spent, and how many replies it has.
    pub(crate) fn judge_numbers(&mut self, runner: &Runner) {
        let input: u64 = self
            .attempts
            .iter()
            .map(|attempt| attempt.usage.input)
            .sum();
        let output: u64 = self
            .attempts
            .iter()
            .map(|attempt| attempt.usage.output)
            .sum();
        let told = (runner.usage().input, runner.usage().output);
        if told != (input, output) {
            self.fault(format!("usage {told:?} and not {:?}", (input, output)));
        }
        let replies = self.delivered().count();
        if runner.iteration_count() != replies {
            let count = runner.iteration_count();
            self.fault(format!("{count} replies are counted, of {replies}"));
        }
        let last = self.last_delivered().and_then(|last| last.reply.as_ref());
        if last != runner.last_message() {
            self.fault("another reply than the last one is the last");
        }
    }
}
