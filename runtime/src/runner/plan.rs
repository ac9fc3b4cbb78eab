//! Which calls of a reply may go on, and with what: [`Calls::go_on`]. Pure.

use super::calls::{Calls, Entry, Stage};
use crate::message::ToolCall;

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
    /// What is told of a member of a toolset that comes behind one that has failed.
    pub(super) halted: &'a (dyn Fn(&ToolCall) -> String + Sync),
}

impl Entry {
    /// Whether something can be done with it before the program has its say.
    const fn may_go_on(&self) -> bool {
        !matches!(self.stage, Stage::Suspended | Stage::Finished(_))
    }

    /// What is next with it, if it is not at work.
    pub(super) fn job(&self, may_begin: &(dyn Fn(&Self) -> bool + Sync)) -> Option<Job> {
        match self.stage {
            _ if self.is_busy => None,
            Stage::Waiting | Stage::Ready if !may_begin(self) => None,
            Stage::Waiting => Some(Job::Decide),
            Stage::Ready => Some(Job::Run),
            Stage::Started => Some(Job::Recover),
            Stage::Ran(_) => Some(Job::Review),
            Stage::Suspended | Stage::Finished(_) => None,
        }
    }
}

/// The toolsets of which a call has been passed: their members run one after the other, and none behind one that has
/// failed.
#[derive(Debug, Default)]
struct Sequences {
    failed: Vec<String>,
    open: Vec<String>,
}

/// Whether it is a call's turn.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    Now,
    /// An earlier member has not ended.
    Later,
    /// An earlier member has failed.
    Never,
}

impl Sequences {
    /// After the calls that have ended. Most replies have no toolset's, and need no look at them.
    fn behind(calls: &mut Calls) -> Self {
        let mut sequences = Self::default();
        let (ended, left) = calls.ended_and_left();
        if left.iter().any(|entry| entry.call.toolset().is_some()) {
            ended.iter().for_each(|entry| sequences.pass(entry));
        }
        sequences
    }

    fn turn_of(&self, entry: &Entry) -> Turn {
        let is_among = |names: &[String]| {
            let toolset = entry.call.toolset();
            toolset.is_some_and(|toolset| names.iter().any(|name| name == toolset))
        };
        if !entry.is_yet_to_run() || entry.is_busy {
            Turn::Now
        } else if is_among(&self.failed) {
            Turn::Never
        } else if is_among(&self.open) {
            Turn::Later
        } else {
            Turn::Now
        }
    }

    fn pass(&mut self, entry: &Entry) {
        let Some(toolset) = entry.call.toolset() else {
            return;
        };
        match entry.result().filter(|_| entry.is_finished()) {
            Some(result) if result.is_error() => self.failed.push(toolset.to_owned()),
            Some(_) => {}
            None => self.open.push(toolset.to_owned()),
        }
    }
}

impl Calls {
    /// The calls that wait for the program, where nothing else can go on before it has its say.
    pub(super) fn awaiting(&self) -> Option<Vec<&Entry>> {
        let mut sequences = Sequences::default();
        let mut waiting = Vec::new();
        for entry in self.iter() {
            match (&entry.stage, sequences.turn_of(entry)) {
                (Stage::Suspended, Turn::Now | Turn::Later) => waiting.push(entry),
                (Stage::Finished(_), _) | (_, Turn::Later) => {}
                _ => return None,
            }
            sequences.pass(entry);
        }
        (!waiting.is_empty()).then_some(waiting)
    }

    /// Goes through the calls in their order, and has `act` do what is next with each, as far as that can be done
    /// beside the `running` tools. Whether it is to be called again when one of these has ended.
    pub(super) fn go_on(
        &mut self,
        mut running: usize,
        rules: &Rules<'_>,
        mut act: impl FnMut(&mut Entry, Job),
    ) -> bool {
        // Whether an earlier call is yet to end.
        let (mut is_behind, mut is_left) = (false, false);
        let mut sequences = Sequences::behind(self);
        for entry in self.unfinished().iter_mut() {
            let is_exclusive = (rules.is_exclusive)(&entry.call);
            let may_begin = match sequences.turn_of(entry) {
                Turn::Now => rules.may_begin,
                Turn::Later => &|_: &Entry| false,
                Turn::Never => {
                    entry.answer(rules.halted);
                    rules.may_begin
                }
            };
            while let Some(job) = entry.job(may_begin) {
                let has_room = rules.max_running.is_none_or(|most| running < most);
                let is_alone = !is_behind && running == 0;
                if job == Job::Run && !(has_room && (is_alone || !is_exclusive)) {
                    break;
                }
                running += usize::from(job == Job::Run);
                act(entry, job);
            }
            sequences.pass(entry);
            if entry.may_go_on() {
                is_behind = true;
                is_left |= !entry.is_busy;
                // Nothing passes a call that runs alone, and without room nothing runs.
                if is_exclusive || rules.max_running.is_some_and(|most| running >= most) {
                    return true;
                }
            }
        }
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::RawJson;
    use crate::message::{Content, Message, Role, ToolResult};

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
            halted: &|_| "halted".to_owned(),
        };
        let mut started = Vec::new();
        let running = calls.iter().filter(|entry| entry.is_busy).count();
        calls.go_on(running, &rules, |entry, job| {
            assert_eq!(job, Job::Run);
            (entry.stage, entry.is_busy) = (Stage::Started, true);
            started.push(entry.index);
        });
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
        begun = Calls::of_entries(begun.into_entries().skip(1));
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
