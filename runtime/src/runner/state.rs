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
    /// Ask it to go on where it paused, with this message: nothing may come between.
    Continue(Message),
    /// Run the calls of the last reply.
    Calls(Pending),
    /// Nothing.
    Ended(Outcome),
}

/// The calls of one reply, and what has become of each. A result is kept from the moment it exists, so that nothing
/// that happens later makes a call run twice.
#[derive(Clone, Debug)]
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
    /// For the program to decide on or to answer, since the tool needs approval or has no handler.
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

    /// Takes over the results that stand from `at` on, and takes them out of there.
    pub(super) fn adopt_from(&mut self, messages: &mut Vec<Message>, at: usize) {
        while let Some(message) = messages.get(at)
            && message.tool_results().next().is_some()
        {
            match self.adopt(message) {
                None => drop(messages.remove(at)),
                Some(rest) if rest.content().len() == message.content().len() => return,
                Some(rest) => {
                    messages.splice(at..=at, [rest]);
                    return;
                }
            }
        }
    }

    /// Takes over the results of these calls that the program gives in a message of its own. What is
    /// left of the message, if anything.
    pub(super) fn adopt(&mut self, message: &Message) -> Option<Message> {
        let mut left = Vec::new();
        for block in message.content() {
            if block
                .as_tool_result()
                .is_none_or(|result| !self.take(result))
            {
                left.push(block.clone());
            }
        }
        (!left.is_empty()).then(|| Message::new(message.role(), left))
    }

    /// Whether a result is one of these calls. A placeholder of ours only gives way.
    fn take(&mut self, result: &ToolResult) -> bool {
        let mut open = self.calls.iter().zip(&mut self.slots);
        match open.find(|(call, _)| call.id() == result.call_id()) {
            None => false,
            // The same again is no other answer.
            Some((_, Slot::Finished(kept))) => kept == result,
            Some((call, slot)) => {
                if result.text() != placeholder(call, slot) {
                    *slot = Slot::Finished(result.clone());
                }
                true
            }
        }
    }
}

/// What stands in the history for a result that is not there yet.
pub(super) fn placeholder(call: &ToolCall, slot: &Slot) -> String {
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

    /// Takes in what the program has done to the history: a pending message that is gone is no
    /// longer waited for, and results that it has put behind the calls are their answers.
    pub(super) fn notice_edits(&mut self) {
        let message = match &self.phase {
            Phase::Calls(pending) => &pending.message,
            Phase::Continue(message) => message,
            Phase::Ask | Phase::Ended(_) => return,
        };
        let Some(at) = self.position(message) else {
            self.phase = Phase::Ask;
            self.request.messages.append(&mut self.queued);
            return;
        };
        if let Phase::Calls(pending) = &mut self.phase {
            pending.adopt_from(&mut self.request.messages, at + 1);
        }
    }
}
