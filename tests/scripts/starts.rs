//! What has to hold whenever a tool starts.

use haft::CapPolicy;

use crate::cast::Part;
use crate::key::Key;
use crate::world::{Record, Word, World};

impl World {
    /// Whether the call of this key may start now; called before the start is written down.
    pub(crate) fn judge_start(&mut self, key: Key, part: Part, call_id: &str, turn: usize) {
        let fault = self
            .identity_fault(key, part, call_id, turn)
            .or_else(|| self.permission_fault(key))
            .or_else(|| self.reply_fault(key))
            .or_else(|| self.company_fault(key, part));
        let is_early = self.attempts[key.attempt].reply.is_none();
        self.seen.insert(if !self.calls[&key].runs.is_empty() {
            "started again"
        } else if is_early {
            "started early"
        } else {
            "started"
        });
        if let Some(fault) = fault {
            self.fault(format!("{key} starts, but {fault}"));
        }
    }

    fn identity_fault(&self, key: Key, part: Part, id: &str, turn: usize) -> Option<String> {
        let record = self.calls.get(&key);
        let is_known = record.is_some_and(|record| record.part == part && record.id == id);
        if !is_known {
            return Some(format!("not as `{id}` of {}", part.name));
        }
        let of = self.calls[&key].turn;
        if of.is_some_and(|of| of != turn) {
            return Some(format!("in turn {turn} and not {of:?}"));
        }
        // Turn and id name one call of all that have started, but where a reply began anew.
        let mut others = self.calls.iter().filter(|(other, record)| {
            (record.id.as_str(), record.turn) == (id, Some(turn)) && other.attempt != key.attempt
        });
        others
            .next()
            .map(|(other, _)| format!("in the turn and by the id of {other}"))
    }

    /// What was said of it, and what has become of it.
    fn permission_fault(&self, key: Key) -> Option<String> {
        let record = &self.calls[&key];
        let is_fresh = record.runs.is_empty();
        let was_let = record.decided.iter().any(|word| word.lets_run());
        let fault = if record.ending().is_some() {
            "it has ended before"
        } else if !is_fresh && !record.part.repeats && !may_run_again(record) {
            "it has started before"
        } else if record.is_answered {
            "the program has answered it"
        } else if record.part.needs_approval && !was_let {
            "nobody has approved it"
        } else if record.decided.last().is_some_and(|word| !word.lets_run()) {
            "the program has decided otherwise"
        } else if self.mood.has_hook && !was_let && !lets_run(record.before.last()) {
            "the hook has not let it run"
        } else if self.token_is_cancelled() {
            "the token is cancelled"
        } else {
            return None;
        };
        Some(fault.to_owned())
    }

    /// Whether its reply is one whose calls run.
    fn reply_fault(&self, key: Key) -> Option<String> {
        let attempt = &self.attempts[key.attempt];
        let record = &self.calls[&key];
        // An effect that may be there already: what came of the reply does not matter any more.
        let has_started = !record.runs.is_empty() || (record.was_left && record.part.repeats);
        if has_started && !attempt.is_removed {
            return None;
        }
        let is_last = key.attempt + 1 == self.attempts.len() && key.take == attempt.now;
        let take = &attempt.takes[key.take];
        let fault = if attempt.is_removed {
            "its reply was removed"
        } else if attempt.reply.is_none() {
            let is_whole = take.stopped.contains(&key.block) && take.newest > key.block;
            let is_held = record.part.is_exclusive || record.part.needs_approval;
            let is_eager = self.set.is_eager && attempt.is_streamed;
            if is_last && is_whole && !is_held && is_eager && !take.is_set_aside {
                return None;
            }
            "its reply is not there"
        } else if !attempt.wants_calls() {
            "its reply does not want it"
        } else if !is_last
            && self
                .last_delivered()
                .is_some_and(|last| last.turn != attempt.turn)
        {
            "another reply has come since"
        } else if self.is_capped() && self.set.policy == CapPolicy::Stop {
            "the run is capped"
        } else {
            let reply = attempt.reply.as_ref()?;
            let block = reply.content().get(key.block);
            block
                .and_then(|block| block.as_tool_call())
                .map_or(Some("another model has taken over"), |_| None)?
        };
        Some(fault.to_owned())
    }

    /// What runs beside it.
    fn company_fault(&self, key: Key, part: Part) -> Option<String> {
        let is_beside = |other: &&Key| (other.attempt, other.take) == (key.attempt, key.take);
        let beside: Vec<_> = self.running.iter().filter(is_beside).collect();
        let is_exclusive = |key: &Key| self.calls[key].part.is_exclusive;
        if !beside.is_empty() && (part.is_exclusive || beside.iter().any(|key| is_exclusive(key))) {
            return Some("another one runs that it must not run beside".to_owned());
        }
        let is_full = self.set.max_running > 0 && beside.len() >= self.set.max_running;
        is_full.then(|| format!("{} others run", beside.len()))
    }
}

fn lets_run(word: Option<&Word>) -> bool {
    word.is_some_and(|word| word.lets_run())
}

/// Whether somebody has said that a call that was interrupted runs again.
fn may_run_again(record: &Record) -> bool {
    match record.recovered.last() {
        Some(Word::Suspend) => record.decided.last().is_some_and(|word| word.lets_run()),
        word => lets_run(word),
    }
}
