//! The pure part of a run: from a state and what happened to the next state, and what is to be done
//! next.

use super::outcome::Outcome;
use super::state::{Pending, Phase, Slot, State, placeholder, results_message};
use crate::message::{Content, Message, Reply, StopReason, ToolCall, ToolResult};

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
        Phase::Ask | Phase::Continue(_) | Phase::Calls(_) => Next::Ask,
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
    if matches!(state.phase, Phase::Ended(Outcome::Completed)) {
        // Other ends are told first: what waits is then a reason to go on.
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
            return Phase::Continue(message.clone());
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
    matches!(phase, Phase::Continue(_) | Phase::Ended(Outcome::Paused))
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

/// Holds calls up: those that wait for the program, and those that are answered already.
pub(super) fn suspend(pending: &mut Pending, held: impl Fn(&ToolCall) -> Option<Slot>) {
    for (call, slot) in pending.calls.iter().zip(&mut pending.slots) {
        if matches!(slot, Slot::Waiting)
            && let Some(fate) = held(call)
        {
            *slot = fate;
        }
    }
}

/// Has those calls run again that were interrupted and do no more by that than by running once.
pub(super) fn repeat(pending: &mut Pending, may_repeat: impl Fn(&ToolCall) -> bool) {
    for (call, slot) in pending.calls.iter().zip(&mut pending.slots) {
        if matches!(slot, Slot::Started) && may_repeat(call) {
            *slot = Slot::Waiting;
        }
    }
}

/// How the calls run: batch after batch, of so many calls each. A call that is exclusive is a batch by itself, if it is
/// yet to run.
pub(super) fn batches(pending: &Pending, is_exclusive: impl Fn(&ToolCall) -> bool) -> Vec<usize> {
    let mut batches = Vec::new();
    let mut side_by_side = 0;
    for (call, slot) in pending.calls.iter().zip(&pending.slots) {
        if matches!(slot, Slot::Waiting) && is_exclusive(call) {
            batches.extend([std::mem::take(&mut side_by_side), 1]);
        } else {
            side_by_side += 1;
        }
    }
    batches.push(side_by_side);
    batches.retain(|length| *length > 0);
    batches
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

/// Takes messages of the program in. Results in them answer calls that are open; the rest waits
/// behind those calls and behind pauses, and opens an ended run again.
pub(super) fn on_append(state: &mut State, mut messages: Vec<Message>) {
    if messages.is_empty() {
        return;
    }
    state.notice_edits();
    match &mut state.phase {
        Phase::Calls(pending) => {
            let rest = messages.iter().filter_map(|message| pending.adopt(message));
            return state.queued.extend(rest);
        }
        // A pause that ran out is told first, and resumed when the run goes on.
        Phase::Continue(_) | Phase::Ended(Outcome::Paused) => {
            return state.queued.extend(messages);
        }
        Phase::Ended(_) => close(state, &mut messages),
        Phase::Ask => {}
    }
    state.phase = Phase::Ask;
    state.request.messages.extend(messages);
}

/// Goes on with nothing new, after the end was told: what was cut is asked for again, a pause is
/// resumed, and what still waits is said. Other ends stay.
pub(super) fn on_go_on(state: &mut State) {
    match &state.phase {
        Phase::Ended(Outcome::Paused) => resume(state),
        Phase::Ended(_) if !state.queued.is_empty() => {
            let queued = std::mem::take(&mut state.queued);
            on_append(state, queued);
        }
        Phase::Ended(Outcome::Truncated { .. } | Outcome::ContextFull) => state.phase = Phase::Ask,
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

/// Makes the history of an ended run ready for what is to follow.
fn close(state: &mut State, appended: &mut Vec<Message>) {
    if let Some(mut pending) = unfit_calls(state) {
        *appended = appended
            .iter()
            .filter_map(|message| pending.adopt(message))
            .collect();
        answer_unfit_calls(
            &mut pending,
            &mut state.request.messages,
            state.last_reply.as_ref(),
        );
    }
    let apart = kept_apart(state);
    state.request.messages.extend(apart);
}

/// The history as it could be sent now: calls without a result are answered.
pub(super) fn sendable(state: &State) -> Vec<Message> {
    let mut messages = state.request.messages.clone();
    if let Some(mut pending) = unfit_calls(state) {
        answer_unfit_calls(&mut pending, &mut messages, state.last_reply.as_ref());
    }
    if let Phase::Calls(pending) = &state.phase
        && let Some(at) = state.position(&pending.message)
    {
        let mut pending = pending.clone();
        pending.adopt_from(&mut messages, at + 1);
        messages.insert(at + 1, pending.answer(placeholder));
    }
    messages.extend(state.queued.iter().cloned());
    messages
}

/// The calls of a reply that ended for a reason which does not fit them, if it is in the history.
fn unfit_calls(state: &State) -> Option<Pending> {
    let Phase::Ended(Outcome::Unknown { .. }) = &state.phase else {
        return None;
    };
    let message = state.last_reply.as_ref()?.message();
    state.position(message)?;
    let pending = Pending::new(message.clone());
    (!pending.calls.is_empty()).then_some(pending)
}

/// Answers them: by what the program has put behind them, else that they were not run.
fn answer_unfit_calls(pending: &mut Pending, messages: &mut Vec<Message>, reply: Option<&Reply>) {
    let reason = reply.map_or_else(String::new, |reply| reply.stop_reason().to_string());
    if let Some(at) = messages
        .iter()
        .rposition(|entry| entry.is_same(&pending.message))
    {
        pending.adopt_from(messages, at + 1);
        let answers =
            pending.answer(|call, _| not_run(call, &format!("the reply ended with {reason}")));
        messages.insert(at + 1, answers);
    }
}

/// The reply that was kept apart, as it goes into the history when something follows it.
fn kept_apart(state: &State) -> Vec<Message> {
    let (Phase::Ended(Outcome::Truncated { .. } | Outcome::ContextFull), Some(reply)) =
        (&state.phase, &state.last_reply)
    else {
        return Vec::new();
    };
    let message = uncut(reply.message());
    if message.is_empty() {
        return Vec::new();
    }
    let pending = Pending::new(message.clone());
    let answers = (!pending.calls.is_empty())
        .then(|| pending.answer(|call, _| not_run(call, "the reply was cut off")));
    [message].into_iter().chain(answers).collect()
}

/// A cut reply without what cannot go back at its end: the call that it was cut in, calls of the
/// server's own, which have no result, and reasoning, which has no signature yet.
fn uncut(message: &Message) -> Message {
    let mut message = message.clone();
    let mut may_be_cut = true;
    loop {
        let goes = match message.content().last() {
            Some(Content::ToolCall(_)) => std::mem::take(&mut may_be_cut),
            Some(Content::Other(other)) if other.kind.ends_with("tool_use") => true,
            Some(block) => block.is_reasoning(),
            None => false,
        };
        if !goes {
            return message;
        }
        message = message.without_last();
    }
}

fn not_run(call: &ToolCall, reason: &str) -> String {
    format!("Error: Tool '{}' was not run: {reason}", call.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::RawJson;
    use crate::message::Role;

    /// Calls of these tools, none of which has run.
    fn pending(names: &[&str]) -> Pending {
        let call = |name: &&str| {
            Content::ToolCall(ToolCall::new(*name, *name, RawJson::from_value(&().into())))
        };
        Pending::new(Message::new(
            Role::Assistant,
            names.iter().map(call).collect(),
        ))
    }

    fn is_exclusive(call: &ToolCall) -> bool {
        call.name() == "x"
    }

    #[test]
    fn an_exclusive_call_is_a_batch_by_itself() {
        let lengths = |names: &[&str]| batches(&pending(names), is_exclusive);
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&["a", "b"]), [2]);
        assert_eq!(lengths(&["x"]), [1]);
        assert_eq!(lengths(&["a", "b", "x", "c"]), [2, 1, 1]);
        assert_eq!(lengths(&["x", "x", "a"]), [1, 1, 1]);
    }

    #[test]
    fn a_call_that_does_not_run_now_divides_nothing() {
        let mut pending = pending(&["a", "x", "b", "x"]);
        pending.slots[1] = Slot::Suspended;
        assert_eq!(batches(&pending, is_exclusive), [3, 1]);
    }

    #[test]
    fn only_a_call_that_was_interrupted_is_repeated() {
        let mut pending = pending(&["x", "a", "x"]);
        pending.slots = vec![Slot::Started, Slot::Started, Slot::Suspended];
        repeat(&mut pending, |call| call.name() == "x");
        assert!(matches!(
            pending.slots[..],
            [Slot::Waiting, Slot::Started, Slot::Suspended]
        ));
    }

    #[test]
    fn only_a_call_that_has_not_begun_is_held_up() {
        let mut pending = pending(&["x", "x", "a"]);
        pending.slots[0] = Slot::Started;
        suspend(&mut pending, |call| {
            is_exclusive(call).then_some(Slot::Suspended)
        });
        assert!(matches!(
            pending.slots[..],
            [Slot::Started, Slot::Suspended, Slot::Waiting]
        ));
    }
}
