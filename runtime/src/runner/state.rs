//! [`State`]: where a run stands, between any two things that it does.

use super::outcome::Outcome;
use crate::message::{Content, Message, Reply, Role, ToolCall, ToolResult, Usage};
use crate::request::Request;

/// Where a run stands.
#[derive(Debug)]
pub(super) struct State {
    /// What is asked next. Its messages are the history.
    pub(super) request: Request,
    /// Messages that wait until the pending calls are answered, or the pause is over.
    pub(super) queued: Vec<Message>,
    pub(super) phase: Phase,
    pub(super) last_reply: Option<Reply>,
    /// Replies received.
    pub(super) iterations: usize,
    /// Of these, the last ones in a row that only paused.
    pub(super) pauses: usize,
    pub(super) usage: Usage,
}

/// What the run is about to do.
#[derive(Debug)]
pub(super) enum Phase {
    /// Ask the model.
    Ask,
    /// Ask it to go on where it paused: nothing may come between.
    Continue,
    /// Run the calls of the last reply.
    Calls(Pending),
    /// Nothing.
    Ended(Outcome),
}

/// The calls of one reply, and what has become of each. A result is kept from the moment it exists, so that nothing
/// that happens later makes a call run twice.
#[derive(Debug)]
pub(super) struct Pending {
    /// The message with the calls, as it stands in the history.
    pub(super) message: Message,
    pub(super) calls: Vec<ToolCall>,
    pub(super) slots: Vec<Slot>,
}

/// What has become of one call.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Waiting,
    /// Running, or interrupted while it ran.
    Started,
    /// To be answered by the program, since the tool has no handler.
    Suspended,
    Finished(ToolResult),
}

impl Pending {
    pub(super) fn new(message: Message) -> Self {
        let calls: Vec<_> = message.tool_calls().cloned().collect();
        let slots = vec![Slot::Waiting; calls.len()];
        Self {
            message,
            calls,
            slots,
        }
    }

    /// The calls that have no result yet.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = (&ToolCall, &Slot)> {
        self.calls
            .iter()
            .zip(&self.slots)
            .filter(|(_, slot)| !matches!(slot, Slot::Finished(_)))
    }

    /// The results that are there, in the order of the calls.
    pub(super) fn into_results(self) -> Vec<ToolResult> {
        let result = |slot| match slot {
            Slot::Finished(result) => Some(result),
            _ => None,
        };
        self.slots.into_iter().filter_map(result).collect()
    }

    /// The message that answers the calls; those without a result are answered by `placeholder`.
    pub(super) fn answer(&self, placeholder: impl Fn(&ToolCall, &Slot) -> String) -> Message {
        let results = self
            .calls
            .iter()
            .zip(&self.slots)
            .map(|(call, slot)| match slot {
                Slot::Finished(result) => result.clone(),
                _ => ToolResult::error(call, placeholder(call, slot)),
            });
        results_message(results)
    }
}

/// All results of one reply stand in one message of the user.
pub(super) fn results_message(results: impl IntoIterator<Item = ToolResult>) -> Message {
    Message::new(
        Role::User,
        results.into_iter().map(Content::ToolResult).collect(),
    )
}

impl State {
    pub(super) fn new(request: Request) -> Self {
        Self {
            request,
            queued: Vec::new(),
            phase: Phase::Ask,
            last_reply: None,
            iterations: 0,
            pauses: 0,
            usage: Usage::default(),
        }
    }

    /// Where a message stands in the history; `None` if the program has edited it away.
    pub(super) fn position(&self, message: &Message) -> Option<usize> {
        // From the end, since that is where it is looked for.
        self.request
            .messages
            .iter()
            .rposition(|entry| entry.is_same(message))
    }

    /// Forgets pending calls whose message the program has edited away.
    pub(super) fn notice_edits(&mut self) {
        if let Phase::Calls(pending) = &self.phase
            && self.position(&pending.message).is_none()
        {
            self.phase = Phase::Ask;
            self.request.messages.append(&mut self.queued);
        }
    }
}
