//! The pure part of a run: from a state and what happened to the next state, and what is to be done next.

use super::outcome::Outcome;
use super::state::{Pending, Phase, Slot, State, results_message};
use crate::message::{Message, Reply, StopReason, ToolCall, ToolResult};

/// How often in a row a reply may only pause.
const MAX_PAUSES: usize = 10;

/// What a run does next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    Ask,
    RunCalls,
    End(Outcome),
}

/// What is to be done in this state. `cap` is the number of replies after which a run stops.
pub(super) fn next(state: &State, cap: Option<usize>) -> Next {
    match &state.phase {
        Phase::Ended(outcome) => Next::End(outcome.clone()),
        Phase::Ask if is_capped(state, cap) => Next::End(Outcome::Capped {
            pending: Vec::new(),
        }),
        Phase::Ask => Next::Ask,
        Phase::Calls(pending) if is_capped(state, cap) => Next::End(Outcome::Capped {
            pending: pending.unanswered().map(|(call, _)| call.clone()).collect(),
        }),
        Phase::Calls(pending) => next_of_calls(pending),
    }
}

fn is_capped(state: &State, cap: Option<usize>) -> bool {
    cap.is_some_and(|cap| state.iterations >= cap)
}

/// Calls that wait for the program hold the run up only when all others are done.
fn next_of_calls(pending: &Pending) -> Next {
    let mut open = pending.unanswered().peekable();
    if open.peek().is_some() && open.all(|(_, slot)| matches!(slot, Slot::Suspended)) {
        let calls = pending.unanswered().map(|(call, _)| call.clone()).collect();
        return Next::End(Outcome::AwaitingApproval { calls });
    }
    Next::RunCalls
}

/// Takes a reply in: the history grows, and the phase says what it leads to.
pub(super) fn on_reply(state: &mut State, reply: &Reply) {
    state.iterations += 1;
    state.usage += reply.usage().clone();
    state.last_reply = Some(reply.clone());
    let message = reply.message();
    let has_calls = message.tool_calls().next().is_some();
    let is_pause = *reply.stop_reason() == StopReason::PauseTurn && !has_calls;
    state.pauses = if is_pause { state.pauses + 1 } else { 0 };
    state.phase = match reply.stop_reason() {
        StopReason::ToolUse | StopReason::PauseTurn if has_calls => {
            Phase::Calls(Pending::new(message.clone()))
        }
        StopReason::PauseTurn if state.pauses > MAX_PAUSES => Phase::Ended(Outcome::Paused),
        StopReason::PauseTurn | StopReason::Compaction => Phase::Ask,
        StopReason::MaxTokens => Phase::Ended(Outcome::Truncated {
            incomplete: cut_call(message).cloned(),
        }),
        StopReason::ContextFull => Phase::Ended(Outcome::ContextFull),
        StopReason::Refusal => Phase::Ended(Outcome::Refused {
            details: reply.refusal().cloned(),
            started: Vec::new(),
        }),
        StopReason::EndTurn | StopReason::StopSequence | StopReason::ToolUse if !has_calls => {
            Phase::Ended(Outcome::Completed)
        }
        other => Phase::Ended(Outcome::Unknown {
            stop_reason: other.clone(),
            pending: message.tool_calls().cloned().collect(),
        }),
    };
    if is_kept(&state.phase) && !message.is_empty() {
        state.request.messages.push(message.clone());
    }
}

/// Whether the reply goes into the history at once. A reply that was cut is kept apart, and a refusal is dropped.
fn is_kept(phase: &Phase) -> bool {
    !matches!(
        phase,
        Phase::Ended(Outcome::Truncated { .. } | Outcome::ContextFull | Outcome::Refused { .. })
    )
}

/// The call that a reply was cut in: its last block, if that is one.
fn cut_call(message: &Message) -> Option<&ToolCall> {
    message.content().last()?.as_tool_call()
}

/// Takes the results of the pending calls into the history, if all are there, and what waited for them.
pub(super) fn on_results(state: &mut State) -> Option<Vec<ToolResult>> {
    let Phase::Calls(pending) = &state.phase else {
        return None;
    };
    let results = pending.results()?;
    state
        .request
        .messages
        .push(results_message(results.clone()));
    state.request.messages.append(&mut state.queued);
    state.phase = Phase::Ask;
    Some(results)
}

/// Takes messages of the program in. They wait behind pending calls, and open an ended run again.
pub(super) fn on_append(state: &mut State, messages: Vec<Message>) {
    if matches!(state.phase, Phase::Calls(_)) {
        state.queued.extend(messages);
        return;
    }
    if let Phase::Ended(outcome) = &state.phase {
        let closing = close(state, outcome);
        state.request.messages.extend(closing);
        state.phase = Phase::Ask;
    }
    state.request.messages.extend(messages);
}

/// What the history needs before a message can follow a run that ended so.
fn close(state: &State, outcome: &Outcome) -> Vec<Message> {
    let reply = state.last_reply.as_ref().map(Reply::message);
    match (outcome, reply) {
        (Outcome::Truncated { incomplete }, Some(message)) => {
            let kept = if incomplete.is_some() {
                message.without_last()
            } else {
                message.clone()
            };
            with_answers(&kept, "the reply was cut off")
        }
        (Outcome::ContextFull, Some(message)) => with_answers(message, "the reply was cut off"),
        (
            Outcome::Unknown {
                stop_reason,
                pending,
            },
            Some(message),
        ) if !pending.is_empty() => {
            // The message itself is in the history already.
            let reason = format!("the reply ended with {stop_reason}");
            with_answers(message, &reason).into_iter().skip(1).collect()
        }
        _ => Vec::new(),
    }
}

/// The message, unless it is empty, and the answers to its calls: that none ran.
fn with_answers(message: &Message, reason: &str) -> Vec<Message> {
    if message.is_empty() {
        return Vec::new();
    }
    let not_run = |call: &ToolCall| format!("Error: Tool '{}' was not run: {reason}", call.name());
    let pending = Pending::new(message.clone());
    let answers = (!pending.calls.is_empty()).then(|| pending.answer(not_run));
    [message.clone()].into_iter().chain(answers).collect()
}
