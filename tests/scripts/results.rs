//! What has to hold for every result in a history: it is what has come of its call.

use haft::{Message, ToolCall, ToolResult};

use crate::cast::Owner;
use crate::key::Key;
use crate::world::{Record, Word, World};

impl World {
    /// The results behind the message at `at`.
    pub(crate) fn results_fault(
        &self,
        messages: &[Message],
        at: usize,
        is_sent: bool,
    ) -> Option<String> {
        let calls: Vec<_> = messages[at].tool_calls().collect();
        // The rules of the wire have been looked at: they are all there, and in order.
        let behind = messages[at + 1..].iter().flat_map(Message::tool_results);
        let pairs = calls.into_iter().zip(behind);
        let mut faults =
            pairs.filter_map(|(call, result)| self.result_fault(call, result, is_sent));
        faults.next()
    }

    fn result_fault(&self, call: &ToolCall, result: &ToolResult, is_sent: bool) -> Option<String> {
        let key = Key::find(call.input().as_str())?;
        let record = self.calls.get(&key)?;
        let text = result.text();
        if result.name() != call.name() {
            return Some(format!("{key} is answered as {}", result.name()));
        }
        let is_right = self.is_explained(record, key, &text, result.is_error(), is_sent);
        // What was said in place of a tool is not kept where the reply is cut, since nothing has happened.
        let is_cut = record.runs.is_empty() && text.contains("was not run: ");
        let is_as_told = is_cut || record.told.as_ref().is_none_or(|told| *told == text);
        let fault = || {
            format!(
                "{key} is answered by {text:?}, told as {:?}: {record:?}",
                record.told
            )
        };
        (!is_right || !is_as_told).then(fault)
    }

    /// Whether a result can be what came of a call.
    fn is_explained(
        &self,
        record: &Record,
        key: Key,
        text: &str,
        is_error: bool,
        is_sent: bool,
    ) -> bool {
        if text.contains("is not there yet") {
            // Hooks are yet to see it.
            return !is_sent && is_error;
        }
        match record.after.last() {
            _ if record.runs.is_empty() && text.contains("was not run: ") => {}
            Some(Word::Replace) => return text == format!("hooked {key}") && !is_error,
            Some(Word::Fail) => return text.contains("is withheld") && is_error,
            _ => {}
        }
        if record.is_answered {
            return text == format!("Error: program {key}") && is_error;
        }
        if let Some(ending) = record.ending() {
            return ending.text(key, record.part.name) == (text.to_owned(), is_error);
        }
        let said = |word: Word| {
            let mut words = [&record.before, &record.recovered, &record.decided].into_iter();
            words.any(|words| words.contains(&word))
        };
        let has_started = !record.runs.is_empty();
        if text == format!("answer {key}") {
            return said(Word::Answer) && !is_error;
        }
        if text.contains("was denied") {
            return (said(Word::Deny) || said(Word::Fail)) && is_error;
        }
        let is_told_so = if text.contains("is unknown") {
            // One that was dropped right before its tool was first polled has started, too.
            has_started || record.was_left
        } else if text.contains("before it started") {
            !has_started && self.was_cancelled
        } else if text.contains("was not run yet") {
            !has_started && !is_sent
        } else if text.contains("was not run: ") {
            !has_started && self.is_given_back(key, text)
        } else if text.contains("not found") {
            record.part.is_of != Owner::Toolkit
        } else if text.contains("nvalid input") || text.contains("bad input") {
            !record.is_good || said(Word::ReplaceBadly)
        } else {
            false
        };
        is_told_so && is_error
    }

    /// Whether the reply of a call ended as its answer says.
    fn is_given_back(&self, key: Key, text: &str) -> bool {
        let attempt = &self.attempts[key.attempt];
        match attempt.stop_reason() {
            None => text.ends_with("the reply was cut off"),
            Some(haft::StopReason::MaxTokens | haft::StopReason::ContextFull) => {
                text.ends_with("the reply was cut off")
            }
            Some(reason) => {
                !attempt.wants_calls() && text.ends_with(&format!("the reply ended with {reason}"))
            }
        }
    }
}
