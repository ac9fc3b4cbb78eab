//! How calls are answered: the message with their results, results that the program gives itself, and the words for
//! calls that have none.

use super::calls::{Calls, Entry, Stage};
use crate::history::interrupted;
use crate::message::{Content, Message, Role, ToolCall, ToolResult};

impl Calls {
    /// The message that answers the calls; those without a result are answered by `placeholder`. So are those whose
    /// results hooks are yet to see: they may withhold them.
    pub(super) fn answer(
        &self,
        has_hooks: bool,
        placeholder: impl Fn(&Entry) -> String,
    ) -> Message {
        let results = self.iter().map(|entry| match &entry.stage {
            Stage::Finished(result) => result.clone(),
            Stage::Ran(result) if !has_hooks || !entry.has_begun => result.clone(),
            _ => ToolResult::error(&entry.call, placeholder(entry)),
        });
        results_message(results)
    }

    /// The results, where all are there.
    pub(super) fn results(&self) -> Option<Vec<ToolResult>> {
        let is_answered = self.open().next().is_none();
        is_answered.then(|| self.iter().filter_map(Entry::result).cloned().collect())
    }

    /// The message of all results that are there.
    pub(super) fn into_answer(self) -> Message {
        let result = |entry: Entry| match entry.stage {
            Stage::Ran(result) | Stage::Finished(result) => Some(result),
            _ => None,
        };
        results_message(self.into_entries().filter_map(result))
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

    /// Whether a result is one of these calls.
    fn take(&mut self, result: &ToolResult) -> bool {
        let mut entries = self.iter_mut();
        let Some(entry) = entries.find(|entry| entry.call.id() == result.call_id()) else {
            return false;
        };
        // A placeholder of ours only gives way.
        if result.text() == placeholder(entry) {
            return true;
        }
        match entry.result() {
            // The same again is no other answer.
            Some(kept) => kept == result,
            None => {
                entry.stage = Stage::Finished(result.clone());
                true
            }
        }
    }
}

/// What stands in the history for a result that is not there yet.
pub(super) fn placeholder(entry: &Entry) -> String {
    let name = entry.call.wire_name();
    match entry.stage {
        Stage::Ran(_) => format!("Error: the result of tool '{name}' is not there yet"),
        _ if entry.has_begun => interrupted(name),
        _ => format!("Error: Tool '{name}' was not run yet"),
    }
}

/// All results of one reply stand in one message of the user.
pub(super) fn results_message(results: impl IntoIterator<Item = ToolResult>) -> Message {
    Message::new(
        Role::User,
        results.into_iter().map(Content::ToolResult).collect(),
    )
}

/// Why a call of a cut reply was not run.
pub(super) const CUT: &str = "the reply was cut off";

/// What the model is told of a call that the program does not want.
pub(super) fn denied(call: &ToolCall, reason: &str) -> String {
    let name = call.wire_name();
    match reason.trim() {
        "" => format!("Error: Tool '{name}' was denied"),
        reason => format!("Error: Tool '{name}' was denied: {reason}"),
    }
}

/// What the model is told of a call that was cancelled before it began.
pub(super) fn not_started(call: &ToolCall) -> String {
    format!(
        "Error: Tool '{}' was interrupted before it started",
        call.wire_name()
    )
}

/// What the model is told of a call in a reply that ended otherwise.
pub(super) fn not_run(call: &ToolCall, reason: &str) -> String {
    format!("Error: Tool '{}' was not run: {reason}", call.wire_name())
}
