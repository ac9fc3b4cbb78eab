//! What a history needs before something follows an end, and as it could be sent at any time. Pure.

use super::answers::{CUT, not_run, placeholder};
use super::calls::{Calls, Entry};
use super::outcome::Outcome;
use super::state::{Ended, Phase, State};
use crate::api::Api;
use crate::history::{Checked, repair};
use crate::message::{Content, Message, Other, Reply};

/// Makes the history of an ended run ready for what is to follow.
pub(super) fn close(state: &mut State, appended: &mut Vec<Message>) {
    if let Some(message) = unfit_calls(state) {
        *appended = appended
            .iter()
            .filter_map(|message| state.calls.adopt(message))
            .collect();
        answer_unfit_calls(state, &message);
    }
    let apart = kept_apart(state);
    state.request.messages.extend(apart);
}

/// The history as it could be sent now: calls without a result are answered.
pub(super) fn sendable(state: &State, api: &Api, has_hooks: bool) -> Vec<Message> {
    let mut state = state.clone();
    state.settle(api);
    if let Some(message) = unfit_calls(&state) {
        answer_unfit_calls(&mut state, &message);
    }
    if let Phase::Calls(pending) = &state.phase
        && let Some(at) = state.position(&pending.message)
    {
        let messages = &mut state.request.messages;
        state.calls.adopt_from(messages, at + 1);
        messages.insert(at + 1, state.calls.answer(has_hooks, placeholder));
    }
    if !state.queued.is_empty() && !only_results_may_follow(&state) {
        state.request.messages.append(&mut state.queued);
    }
    // The program may have edited it.
    match Checked::default().check(&state.request.messages) {
        Ok(()) => state.request.messages,
        Err(_) => repair(state.request.messages),
    }
}

/// Whether the history ends with the results of a reply that waits for a result of the server's, too: then an API takes
/// nothing of the user's beside them, and gives that result at the head of its next reply.
pub(super) fn only_results_may_follow(state: &State) -> bool {
    let mut last = state.request.messages.iter().rev();
    let has_results = |message: &Message| message.tool_results().next().is_some();
    last.next().is_some_and(has_results) && last.next().is_some_and(awaits_server)
}

/// What has arrived of a reply without what waits for something at its end: calls of the server's, whose results did not
/// come, and reasoning, which no API takes without what it led to.
pub(super) fn without_open_end(mut message: Message) -> Message {
    let is_open = |message: &Message| match message.content().last() {
        Some(Content::Other(other)) if other.is_server_call() => true,
        Some(block) => block.is_reasoning(),
        None => false,
    };
    while is_open(&message) {
        message = message.without_last();
    }
    message
}

/// Whether a call of the server's own is in the message, and its result is not.
fn awaits_server(message: &Message) -> bool {
    let mut called: Vec<_> = message.others().filter_map(Other::call_id).collect();
    if called.is_empty() {
        return is_called_by_code(message);
    }
    let answered: Vec<_> = message
        .others()
        .filter_map(Other::answered_call_id)
        .collect();
    called.retain(|id| !answered.contains(id));
    !called.is_empty() || is_called_by_code(message)
}

/// Whether code of the model's has made one of the calls: it waits for the results, and for nothing else.
fn is_called_by_code(message: &Message) -> bool {
    let mut calls = message.native_calls();
    calls.any(|call| {
        let call = call.to_value();
        let caller = call.pointer("/caller/type").and_then(|kind| kind.as_str());
        caller.is_some_and(|kind| kind.starts_with("code_execution"))
    })
}

/// The reply that ended for a reason which does not fit its calls, if it is in the history.
fn unfit_calls(state: &State) -> Option<Message> {
    let Phase::Ended(ended) = &state.phase else {
        return None;
    };
    let Outcome::Unknown { .. } = &ended.outcome else {
        return None;
    };
    let message = state.last_reply.as_ref()?.message();
    state.position(message)?;
    (!state.calls.is_empty()).then(|| message.clone())
}

/// Answers them: by what the program has put behind them, else that they were not run.
fn answer_unfit_calls(state: &mut State, message: &Message) {
    let Some(at) = state.position(message) else {
        return;
    };
    let reason = state
        .last_reply
        .as_ref()
        .map(ended_with)
        .unwrap_or_default();
    let mut calls = std::mem::take(&mut state.calls);
    let messages = &mut state.request.messages;
    calls.adopt_from(messages, at + 1);
    let not_run = |entry: &Entry| not_run(&entry.call, &reason);
    messages.insert(at + 1, calls.answer(false, not_run));
}

/// The reply that was kept apart, as it goes into the history when something follows it.
fn kept_apart(state: &State) -> Vec<Message> {
    let Phase::Ended(Ended {
        apart: Some(apart), ..
    }) = &state.phase
    else {
        return Vec::new();
    };
    let message = uncut(apart);
    if message.is_empty() {
        return Vec::new();
    }
    let calls = Calls::of(&message, Calls::default());
    let answers =
        (!calls.is_empty()).then(|| calls.answer(false, |entry| not_run(&entry.call, CUT)));
    [message].into_iter().chain(answers).collect()
}

/// A cut reply without what cannot go back at its end: the call that it was cut in, calls of the
/// server's own, which have no result, and reasoning, which has no signature yet.
pub(super) fn uncut(message: &Message) -> Message {
    let mut message = message.clone();
    // A call before the last block is whole: the model has moved on from it.
    let mut is_at_end = true;
    loop {
        let goes = match message.content().last() {
            Some(Content::ToolCall(_)) => is_at_end,
            Some(Content::Other(other)) if other.is_server_call() => true,
            Some(block) => block.is_reasoning(),
            None => false,
        };
        if !goes {
            return message;
        }
        message = message.without_last();
        is_at_end = false;
    }
}

/// Why a call of a reply was not run that ended for another reason.
pub(super) fn ended_with(reply: &Reply) -> String {
    format!("the reply ended with {}", reply.stop_reason())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::RawJson;
    use crate::message::{Role, ToolCall};

    #[test]
    fn what_waits_at_the_end_of_a_broken_reply_is_left_out() {
        let call = Content::ToolCall(ToolCall::new("c", "look", RawJson::empty_object()));
        let thought = || Content::thinking("Hm.");
        let server = RawJson::parse(r#"{"type":"server_tool_use","id":"s"}"#).unwrap();
        let server = Content::other(Api::ANTHROPIC_MESSAGES, server);
        let message = |content: Vec<Content>| Message::new(Role::Assistant, content);
        for end in [vec![], vec![thought()], vec![server, thought()]] {
            let kept = [thought(), call.clone()];
            let broken = message(kept.iter().cloned().chain(end).collect());
            assert_eq!(without_open_end(broken).content(), kept);
        }
    }
}
