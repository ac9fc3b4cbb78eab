//! The pure part of a run: from a state and what happened to the next state ([`step`]), and what is to be done next
//! ([`next`]). Whatever drives a run (a [`Runner`](super::Runner), a journal) does what `next` says, and tells `step`. What
//! becomes of a single call is not told here: it is kept in its [`Stage`] at once.

use super::answers::{CUT, not_run, not_started};
use super::calls::{Calls, Entry};
use super::closing::{close, ended_with, only_results_may_follow, uncut};
use super::compaction::on_compacted;
use super::leads::{is_pause, phase_after};
use super::outcome::{CapPolicy, Outcome};
use super::repeats::Repeats;
use super::state::{Arriving, Container, Ended, Pending, Phase, State};
use crate::api::Api;
use crate::history::interrupted;
use crate::message::{Message, Reply, StopReason, ToolCall};

/// What a run does next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    Ask(Asking),
    RunCalls,
    End(Outcome),
}

/// What the model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    Turn,
    /// The turn after the limit, in which no tool may be called.
    LastTurn,
    /// A summary in place of the history.
    Summary,
}

/// What bounds a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The number of replies after which it stops.
    pub(super) cap: Option<usize>,
    pub(super) policy: CapPolicy,
    pub(super) is_cancelled: bool,
    pub(super) most_repeats: Option<usize>,
}

/// What happened.
#[derive(Debug)]
pub(super) enum Happened<'a> {
    /// A whole reply came from this API.
    Replied(&'a Reply, &'a Api),
    /// What came when a summary was asked for.
    Compacted(&'a Reply),
    /// All calls may be answered.
    Answered,
    /// The program added messages.
    Appended(Vec<Message>),
    /// The program goes on after the end was told.
    WentOn,
    /// The token was cancelled.
    Cancelled,
}

/// Takes in what happened.
pub(super) fn step(state: &mut State, happened: Happened<'_>, limits: &Limits) {
    match happened {
        Happened::Replied(reply, api) => on_reply(state, reply, api),
        Happened::Compacted(reply) => on_compacted(state, reply),
        Happened::Answered => on_answers(state, limits),
        Happened::Appended(messages) => on_append(state, messages),
        Happened::WentOn => on_go_on(state),
        Happened::Cancelled => on_cancel(state),
    }
}

/// What is to be done in this state. An end is no less one where the token was cancelled afterwards.
pub(super) fn next(state: &State, limits: &Limits) -> Next {
    match next_if_not_cancelled(state, limits) {
        Next::Ask(_) | Next::RunCalls if limits.is_cancelled => Next::End(Outcome::Cancelled),
        next => next,
    }
}

/// Whether the calls of the reply that is asked for now would run, and not wait at the limit.
pub(super) fn runs_calls_of_next_reply(state: &State, limits: &Limits) -> bool {
    let with_next = state.iterations - state.compactions + 1;
    let reaches_cap = limits.cap.is_some_and(|cap| with_next >= cap);
    !reaches_cap || limits.policy != CapPolicy::Stop
}

fn next_if_not_cancelled(state: &State, limits: &Limits) -> Next {
    let counted = state.iterations - state.compactions;
    let is_capped = limits.cap.is_some_and(|cap| counted >= cap);
    let had_final_turn = is_capped && state.final_turn_at == limits.cap;
    let capped = |pending| Next::End(Outcome::Capped { pending });
    match &state.phase {
        Phase::Ended(ended) if had_final_turn && ended.outcome == Outcome::Completed => {
            capped(Vec::new())
        }
        Phase::Ended(ended) => Next::End(ended.outcome.clone()),
        Phase::Calls(pending) if state.position(&pending.message).is_some() => {
            if is_capped && (had_final_turn || limits.policy == CapPolicy::Stop) {
                capped(open_calls(state))
            } else {
                next_of_calls(state)
            }
        }
        // (Of `Calls`, those whose reply the program has edited away.)
        Phase::Ask
            if !is_capped && state.compaction.is_some() && !only_results_may_follow(state) =>
        {
            Next::Ask(Asking::Summary)
        }
        Phase::Ask | Phase::Continue(_) | Phase::Calls(_) if !is_capped => Next::Ask(Asking::Turn),
        _ if limits.policy == CapPolicy::FinalTurn && !had_final_turn => {
            Next::Ask(Asking::LastTurn)
        }
        _ => capped(Vec::new()),
    }
}

/// Calls that wait for the program hold the run up only when all others are done.
fn next_of_calls(state: &State) -> Next {
    match state.calls.awaiting() {
        Some(waiting) => {
            // With the input that they would run with: that is what a person agrees to.
            let calls = waiting.into_iter().map(Entry::to_run).collect();
            Next::End(Outcome::AwaitingApproval { calls })
        }
        None => Next::RunCalls,
    }
}

fn open_calls(state: &State) -> Vec<ToolCall> {
    // One whose result waits for a hook has run.
    let open = state.calls.iter().filter(|entry| entry.result().is_none());
    open.map(|entry| entry.call.clone()).collect()
}

/// Takes a reply in: the history grows, and the phase says what it leads to.
fn on_reply(state: &mut State, reply: &Reply, api: &Api) {
    state.iterations += 1;
    if reply.stop_reason() == &StopReason::Compaction {
        state.compactions += 1;
    }
    state.usage.tell(reply.usage());
    state.last_reply = Some(reply.clone());
    state.arriving = Arriving::default();
    if let Some(id) = reply.container() {
        let (api, id) = (api.clone(), id.to_owned());
        state.container = Some(Container { api, id });
    }
    let begun = std::mem::take(&mut state.calls);
    let message = reply.message();
    let phase = phase_after(state.pauses, reply);
    state.pauses = if is_pause(&phase) {
        state.pauses + 1
    } else {
        0
    };
    match phase {
        Phase::Ended(ended) => on_end(state, reply, ended, begun),
        phase => {
            state.calls = Calls::of(message, begun);
            keep(state, message);
            state.phase = phase;
        }
    }
}

fn keep(state: &mut State, message: &Message) {
    if !message.is_empty() {
        state.request.messages.push(message.clone());
    }
}

/// Takes in a reply that ends the run, or does so when the calls that have begun while it arrived are answered.
fn on_end(state: &mut State, reply: &Reply, mut ended: Ended, begun: Calls) {
    if let Outcome::Refused { started, .. } = &mut ended.outcome {
        started.extend(begun.begun().cloned());
        state.abandoned.extend(begun.begun().cloned());
        state.phase = Phase::Ended(ended);
        return;
    }
    let has_begun = begun.begun().next().is_some();
    let is_cut = ended.apart.is_some();
    let message = match &ended.apart {
        Some(apart) if has_begun => uncut(apart),
        _ => reply.message().clone(),
    };
    if is_cut && !has_begun {
        state.phase = Phase::Ended(ended);
        return;
    }
    ended.apart = None;
    keep(state, &message);
    state.calls = Calls::of(&message, begun);
    if has_begun {
        let reason = if is_cut {
            CUT.to_owned()
        } else {
            ended_with(reply)
        };
        return answer_with_rest(state, message, &reason, ended);
    }
    let is_natural = ended.outcome == Outcome::Completed;
    state.phase = Phase::Ended(ended);
    if is_natural {
        // Other ends are told first: what waits is then a reason to go on.
        let queued = std::mem::take(&mut state.queued);
        on_append(state, queued);
    }
}

/// Calls of the reply have begun, so it goes back with their results, and with the others as not run.
fn answer_with_rest(state: &mut State, message: Message, reason: &str, mut ended: Ended) {
    let mut not_begun = Vec::new();
    for entry in state.calls.iter_mut().filter(|entry| entry.is_yet_to_run()) {
        not_begun.push(entry.call.clone());
        entry.answer(|call| not_run(call, reason));
    }
    if let Outcome::Unknown { pending, .. } = &mut ended.outcome {
        *pending = not_begun;
    }
    state.phase = Phase::Calls(Pending {
        message,
        then: Some(ended),
    });
}

/// Takes the results of the pending calls into the history, if all are there, and what waited for
/// them.
fn on_answers(state: &mut State, limits: &Limits) {
    let Phase::Calls(pending) = &state.phase else {
        return;
    };
    if state.calls.open().next().is_some() {
        return;
    }
    let (at, then) = (state.position(&pending.message), pending.then.clone());
    let calls = std::mem::take(&mut state.calls);
    let looping = limits.most_repeats.and_then(|most| {
        // A member behind one of its toolset that has failed was not run.
        let run = calls
            .iter()
            .filter(|entry| entry.has_begun || entry.call.toolset().is_none());
        let results = run.filter_map(|entry| Some((&entry.call, entry.result()?)));
        // What was not run has not failed.
        let run = results.filter(|(call, result)| result.text() != not_run(call, CUT));
        state.repeats.count(run, most)
    });
    if let Some(at) = at {
        // Right behind the calls, even if the program has put something there.
        state.request.messages.insert(at + 1, calls.into_answer());
    }
    let looped = || looping.map(|call| Ended::with(Outcome::Looping { call }));
    state.phase = match then.or_else(looped) {
        Some(ended) => Phase::Ended(ended),
        None => {
            // Asked only where it matters: it reads the reply's blocks.
            if !state.queued.is_empty() && !only_results_may_follow(state) {
                state.request.messages.append(&mut state.queued);
            }
            Phase::Ask
        }
    };
}

/// Takes messages of the program in. Results in them answer calls that are open; the rest waits
/// behind those calls and behind pauses, and opens an ended run again.
fn on_append(state: &mut State, mut messages: Vec<Message>) {
    // Nothing is said in it, so nothing would be sent.
    messages.retain(|message| !message.is_empty());
    if messages.is_empty() {
        return;
    }
    state.notice_edits();
    match &state.phase {
        Phase::Calls(_) => {
            let rest = messages
                .iter()
                .filter_map(|message| state.calls.adopt(message));
            return state.queued.extend(rest);
        }
        // A pause that ran out is told first, and resumed when the run goes on.
        Phase::Continue(_) => return state.queued.extend(messages),
        Phase::Ended(ended) if ended.outcome == Outcome::Paused => {
            return state.queued.extend(messages);
        }
        Phase::Ended(ended) => {
            if let Outcome::Looping { .. } = ended.outcome {
                state.repeats = Repeats::default();
            }
            close(state, &mut messages);
        }
        Phase::Ask if only_results_may_follow(state) => return state.queued.extend(messages),
        Phase::Ask => {}
    }
    state.phase = Phase::Ask;
    state.request.messages.append(&mut state.queued);
    state.request.messages.extend(messages);
}

/// Goes on with nothing new, after the end was told: what was cut is asked for again, a pause is
/// resumed, calls that did not fit are answered, and what still waits is said. Other ends stay.
fn on_go_on(state: &mut State) {
    let Phase::Ended(ended) = &state.phase else {
        return;
    };
    match &ended.outcome {
        Outcome::Paused => resume(state),
        _ if !state.queued.is_empty() => {
            let queued = std::mem::take(&mut state.queued);
            on_append(state, queued);
        }
        Outcome::Truncated { .. } | Outcome::ContextFull => state.phase = Phase::Ask,
        Outcome::Looping { .. } => {
            state.repeats = Repeats::default();
            state.phase = Phase::Ask;
        }
        Outcome::Unknown { .. } => {
            close(state, &mut Vec::new());
            let is_answered = |last: &Message| last.tool_results().next().is_some();
            if state.request.messages.last().is_some_and(is_answered) {
                state.phase = Phase::Ask;
            }
        }
        _ => {}
    }
}

/// Resumes a run whose pauses ran out, and counts them anew.
fn resume(state: &mut State) {
    state.pauses = 0;
    state.phase = match &state.last_reply {
        Some(reply) => Phase::Continue(reply.message().clone()),
        None => Phase::Ask,
    };
    state.notice_edits();
}

/// What had not started does not start any more; what had is dealt with when the run goes on.
fn on_cancel(state: &mut State) {
    let Phase::Calls(pending) = &state.phase else {
        return;
    };
    if state.position(&pending.message).is_some() {
        for entry in state.calls.iter_mut().filter(|entry| entry.is_yet_to_run()) {
            // One that was interrupted before may have been about to run again.
            let has_begun = entry.has_begun;
            entry.answer(|call| {
                if has_begun {
                    interrupted(call.wire_name())
                } else {
                    not_started(call)
                }
            });
        }
    }
}
