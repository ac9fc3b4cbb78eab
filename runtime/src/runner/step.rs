//! The pure part of a run: from a state and what happened to the next state, and what is to be done
//! next.

use super::outcome::Outcome;
use super::state::{Pending, Phase, Slot, State, results_message};
use crate::message::{Message, Reply, StopReason, ToolCall, ToolResult};

/// How often in a row a reply may only pause, or only compact the history.
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
    let is_capped = cap.is_some_and(|cap| state.iterations >= cap);
    match &state.phase {
        Phase::Ended(outcome) => Next::End(outcome.clone()),
        Phase::Calls(pending) if state.position(&pending.message).is_some() => {
            next_of_calls(pending, is_capped)
        }
        _ if is_capped => Next::End(Outcome::Capped {
            pending: Vec::new(),
        }),
        // The program has edited the pending reply away.
        Phase::Ask | Phase::Continue | Phase::Calls(_) => Next::Ask,
    }
}

/// Calls that wait for the program hold the run up only when all others are done.
fn next_of_calls(pending: &Pending, is_capped: bool) -> Next {
    let calls = || pending.unanswered().map(|(call, _)| call.clone()).collect();
    let mut open = pending.unanswered().peekable();
    if is_capped {
        Next::End(Outcome::Capped { pending: calls() })
    } else if open.peek().is_some() && open.all(|(_, slot)| matches!(slot, Slot::Suspended)) {
        Next::End(Outcome::AwaitingApproval { calls: calls() })
    } else {
        Next::RunCalls
    }
}

/// Takes a reply in: the history grows, and the phase says what it leads to.
pub(super) fn on_reply(state: &mut State, reply: &Reply) {
    state.iterations += 1;
    state.usage += reply.usage().clone();
    state.last_reply = Some(reply.clone());
    let message = reply.message();
    let phase = phase_after(state.pauses, reply);
    state.pauses = if is_pause(&phase) {
        state.pauses + 1
    } else {
        0
    };
    if is_kept(&phase) && !message.is_empty() {
        state.request.messages.push(message.clone());
    }
    state.phase = phase;
    if matches!(state.phase, Phase::Ended(_)) && !state.queued.is_empty() {
        let queued = std::mem::take(&mut state.queued);
        on_append(state, queued);
    }
}

/// What a reply leads to. The reasons are the codec's to say; here is what each means.
fn phase_after(pauses: usize, reply: &Reply) -> Phase {
    let message = reply.message();
    let has_calls = message.tool_calls().next().is_some();
    let outcome = match reply.stop_reason() {
        StopReason::ToolUse | StopReason::PauseTurn if has_calls => {
            return Phase::Calls(Pending::new(message.clone()));
        }
        StopReason::PauseTurn | StopReason::Compaction if !has_calls && pauses < MAX_PAUSES => {
            return Phase::Continue;
        }
        StopReason::PauseTurn | StopReason::Compaction if !has_calls => Outcome::Paused,
        StopReason::EndTurn | StopReason::StopSequence | StopReason::ToolUse if !has_calls => {
            Outcome::Completed
        }
        StopReason::MaxTokens => Outcome::Truncated {
            incomplete: cut_call(message).cloned(),
        },
        StopReason::ContextFull => Outcome::ContextFull,
        StopReason::Refusal => Outcome::Refused {
            details: reply.refusal().cloned(),
            started: Vec::new(),
        },
        other => Outcome::Unknown {
            stop_reason: other.clone(),
            pending: message.tool_calls().cloned().collect(),
        },
    };
    Phase::Ended(outcome)
}

fn is_pause(phase: &Phase) -> bool {
    matches!(phase, Phase::Continue | Phase::Ended(Outcome::Paused))
}

/// Whether the reply goes into the history at once. One that was cut is kept apart, and a refusal is
/// dropped.
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

/// Takes the results of the pending calls into the history, if all are there, and what waited for
/// them.
pub(super) fn on_results(state: &mut State) -> Option<Vec<ToolResult>> {
    let at = match &state.phase {
        Phase::Calls(pending) if pending.unanswered().next().is_none() => {
            state.position(&pending.message)
        }
        _ => return None,
    };
    let Phase::Calls(pending) = std::mem::replace(&mut state.phase, Phase::Ask) else {
        return None;
    };
    let results = pending.into_results();
    if let Some(at) = at {
        // Right behind the calls, even if the program has put something there.
        state
            .request
            .messages
            .insert(at + 1, results_message(results.iter().cloned()));
    }
    state.request.messages.append(&mut state.queued);
    Some(results)
}

/// Takes messages of the program in. They wait behind pending calls and pauses, and open an ended
/// run again.
pub(super) fn on_append(state: &mut State, messages: Vec<Message>) {
    if messages.is_empty() {
        return;
    }
    match &state.phase {
        Phase::Continue => return state.queued.extend(messages),
        Phase::Calls(pending) if state.position(&pending.message).is_some() => {
            return state.queued.extend(messages);
        }
        Phase::Ended(outcome) => {
            state.request.messages = closed(state, outcome);
            state.request.messages.extend(kept_apart(state, outcome));
            state.pauses = 0;
        }
        Phase::Ask | Phase::Calls(_) => {}
    }
    state.phase = Phase::Ask;
    state.request.messages.extend(messages);
}

/// Goes on with nothing new, after the end was told: what was cut is asked for again, and a pause
/// resumed. Other ends stay.
pub(super) fn on_go_on(state: &mut State) {
    if let Phase::Ended(outcome) = &state.phase {
        state.phase = match outcome {
            Outcome::Truncated { .. } | Outcome::ContextFull => Phase::Ask,
            Outcome::Paused => Phase::Continue,
            _ => return,
        };
        state.pauses = 0;
    }
}

/// The history as it could be sent now: calls without a result are answered.
pub(super) fn sendable(state: &State) -> Vec<Message> {
    let mut messages = match &state.phase {
        Phase::Ended(outcome) => closed(state, outcome),
        _ => state.request.messages.clone(),
    };
    if let Phase::Calls(pending) = &state.phase
        && let Some(at) = state.position(&pending.message)
    {
        messages.insert(at + 1, pending.answer(placeholder));
    }
    messages.extend(state.queued.iter().cloned());
    messages
}

fn placeholder(call: &ToolCall, slot: &Slot) -> String {
    match slot {
        Slot::Started => interrupted(call),
        _ => format!("Error: Tool '{}' was not run yet", call.name()),
    }
}

/// What the model is told of a call that was running when its turn was dropped.
pub(super) fn interrupted(call: &ToolCall) -> String {
    format!(
        "Error: Tool '{}' was interrupted; whether it took effect is unknown",
        call.name()
    )
}

/// The history after an end, its calls answered: those that did not run because the reason of the
/// reply did not fit them.
fn closed(state: &State, outcome: &Outcome) -> Vec<Message> {
    let mut messages = state.request.messages.clone();
    if let Outcome::Unknown { stop_reason, .. } = outcome
        && let Some(reply) = &state.last_reply
        && let Some(at) = state.position(reply.message())
    {
        let answers = not_run(
            reply.message(),
            &format!("the reply ended with {stop_reason}"),
        );
        answers
            .into_iter()
            .for_each(|answers| messages.insert(at + 1, answers));
    }
    messages
}

/// The reply that was kept apart, as it goes into the history when something follows it.
fn kept_apart(state: &State, outcome: &Outcome) -> Vec<Message> {
    let (Outcome::Truncated { .. } | Outcome::ContextFull, Some(reply)) =
        (outcome, &state.last_reply)
    else {
        return Vec::new();
    };
    let message = reply.message();
    let message = if cut_call(message).is_some() {
        message.without_last()
    } else {
        message.clone()
    };
    // Reasoning alone is no message that an API takes back.
    if message
        .content()
        .iter()
        .all(|block| block.is_blank_text() || block.is_reasoning())
    {
        return Vec::new();
    }
    let answers = not_run(&message, "the reply was cut off");
    [message].into_iter().chain(answers).collect()
}

/// The answers to the calls in a message: that none ran. `None` without calls.
fn not_run(message: &Message, reason: &str) -> Option<Message> {
    let pending = Pending::new(message.clone());
    let text = |call: &ToolCall| format!("Error: Tool '{}' was not run: {reason}", call.name());
    (!pending.calls.is_empty()).then(|| pending.answer(|call, _| text(call)))
}
