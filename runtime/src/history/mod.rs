//! Whether a history can be sent: each call is answered once, in the message right behind it.

mod repair;

use std::collections::HashSet;

use crate::error::Error;
use crate::message::{Message, Role, ToolCall, ToolResult};

pub(crate) use self::repair::interrupted;
pub use self::repair::repair;

/// What has been looked at: the messages of the last request, which a run only adds to.
#[derive(Debug, Default)]
pub(crate) struct Checked(Vec<Message>);

impl Checked {
    /// Looks at a history that a program may have edited or brought along, as far as it is new.
    ///
    /// # Errors
    /// The first call without a result, or result without a call: an API would refuse all of it,
    /// with words that name neither.
    pub(crate) fn check(&mut self, messages: &[Message]) -> Result<(), Error> {
        let known = self
            .0
            .iter()
            .zip(messages)
            .take_while(|(old, new)| old.is_same(new))
            .count();
        // From a message without results, since no call is open before it: but before one that is blank there may be.
        let begins =
            |message: &Message| !message.is_empty() && message.tool_results().next().is_none();
        let start = messages.iter().take(known).rposition(begins).unwrap_or(0);
        check_from(messages, start)?;
        self.0.truncate(known);
        self.0.extend(messages.iter().skip(known).cloned());
        Ok(())
    }
}

fn check_from(messages: &[Message], start: usize) -> Result<(), Error> {
    let mut open: HashSet<&str> = HashSet::new();
    // What is blank is not sent, and stands between nothing.
    let said = messages
        .iter()
        .enumerate()
        .skip(start)
        .filter(|(_, message)| !message.is_empty());
    for (at, message) in said {
        let mut results = message.tool_results().peekable();
        if results.peek().is_none() {
            no_open_call(at, &open)?;
        }
        // Results may be spread over messages of the user: those are one to an API.
        for result in results {
            if message.role() != Role::User || !open.remove(result.call_id()) {
                return Err(unasked(at, result));
            }
        }
        for call in message.tool_calls() {
            if message.role() != Role::Assistant || !open.insert(call.id()) {
                return Err(misplaced(at, call));
            }
        }
    }
    no_open_call(messages.len(), &open)
}

fn no_open_call(at: usize, open: &HashSet<&str>) -> Result<(), Error> {
    match open.iter().min() {
        None => Ok(()),
        Some(id) => Err(Error::request(format!(
            "messages[{at}] must begin with the result of the call `{id}` before it: \
             add it, or take the call out of the history"
        ))),
    }
}

fn misplaced(at: usize, call: &ToolCall) -> Error {
    Error::request(format!(
        "messages[{at}] has a call `{}` that is not the model's, or is there twice: take it out",
        call.id()
    ))
}

fn unasked(at: usize, result: &ToolResult) -> Error {
    Error::request(format!(
        "messages[{at}] has a result for `{}`, and no call before it waits for one: take it out",
        result.call_id()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::RawJson;
    use crate::message::Content;

    fn calls(ids: &[&str]) -> Message {
        let call = |id: &&str| Content::ToolCall(ToolCall::new(*id, "t", RawJson::empty_object()));
        Message::new(Role::Assistant, ids.iter().map(call).collect())
    }

    fn results(ids: &[&str]) -> Message {
        let result = |id: &&str| {
            let call = ToolCall::new(*id, "t", RawJson::empty_object());
            Content::ToolResult(ToolResult::new(&call, Vec::new()))
        };
        Message::new(Role::User, ids.iter().map(result).collect())
    }

    fn check(messages: &[Message]) -> Result<(), Error> {
        Checked::default().check(messages)
    }

    #[test]
    fn what_was_edited_is_looked_at_again() {
        let mut checked = Checked::default();
        let mut messages = vec![Message::user("a"), calls(&["1"]), results(&["1"])];
        checked.check(&messages).unwrap();
        messages.extend([calls(&["2"]), results(&["2"])]);
        checked.check(&messages).unwrap();
        messages.push(calls(&["3"]));
        assert!(checked.check(&messages).is_err());
        messages.push(results(&["3"]));
        checked.check(&messages).unwrap();
        messages.remove(2);
        assert!(
            checked
                .check(&messages)
                .unwrap_err()
                .to_string()
                .starts_with("messages[2] ")
        );
        messages.remove(1);
        checked.check(&messages).unwrap();
    }

    #[test]
    fn what_is_blank_stands_between_nothing_also_when_it_is_known() {
        let mut messages = vec![calls(&["1"]), Message::user(""), results(&["1"])];
        let mut checked = Checked::default();
        checked.check(&messages).unwrap();
        messages.extend([calls(&["2"]), results(&["2"])]);
        checked.check(&messages).unwrap();
        messages.push(Message::user(""));
        checked.check(&messages).unwrap();
        checked.check(&messages).unwrap();
    }

    #[test]
    fn answered_calls_are_fine() {
        check(&[
            Message::user("a"),
            calls(&["1", "2"]),
            results(&["1", "2"]),
            calls(&["1"]),
            results(&["1"]),
        ])
        .unwrap();
        check(&[
            Message::user("a"),
            Message::assistant("b"),
            Message::user("c"),
        ])
        .unwrap();
    }

    #[test]
    fn what_does_not_pair_is_told_by_its_place() {
        let told = |messages: &[Message]| check(messages).unwrap_err().to_string();
        let unanswered = "must begin with the result of the call `1` before it";
        assert!(told(&[calls(&["1"])]).starts_with(&format!("messages[1] {unanswered}")));
        assert!(
            told(&[calls(&["1"]), Message::user("b")])
                .starts_with(&format!("messages[1] {unanswered}"))
        );
        let unasked = "has a result for `1`, and no call before it waits for one";
        assert!(told(&[results(&["1"])]).starts_with(&format!("messages[0] {unasked}")));
        assert!(
            told(&[calls(&["1"]), results(&["1", "1"])])
                .starts_with(&format!("messages[1] {unasked}"))
        );
        assert!(
            told(&[calls(&["1", "1"]), results(&["1"])]).starts_with("messages[0] has a call `1`")
        );
        let spoken = Message::new(Role::Assistant, results(&["1"]).content().to_vec());
        assert!(told(&[calls(&["1"]), spoken]).starts_with(&format!("messages[1] {unasked}")));
        let late = [calls(&["1"]), results(&["1"]), results(&["1"])];
        assert!(told(&late).starts_with(&format!("messages[2] {unasked}")));
    }
}
