//! What a program does between two turns: it edits the history, answers calls, decides on those that wait.

use haft::{Content, Message, Outcome, Role, ToolCall, ToolResult};

use crate::cast::Owner;
use crate::key::Key;
use crate::meddler::decision;
use crate::program::Program;
use crate::world::Word;

impl Program {
    /// Takes the last reply out of the history, and all behind it.
    pub(crate) fn remove_last_reply(&mut self) {
        let messages = &mut self.runner.request_mut().messages;
        let of_model = |message: &Message| message.role() == Role::Assistant;
        let Some(at) = messages.iter().rposition(of_model) else {
            return;
        };
        let removed = messages.split_off(at);
        let mut world = self.shared.world();
        world.is_edited = true;
        // The calls that failed before are remembered all the same.
        world.set.repeats_are_new = true;
        let key = removed.first().and_then(Key::of_message);
        world.note(|| format!("remove the last reply, {key:?}"));
        if let Some(key) = key {
            world.attempts[key.attempt].is_removed = true;
        }
        for message in removed.iter().filter(|message| !of_model(message)) {
            let text = message.text();
            for (number, is_removed) in &mut world.said {
                *is_removed |= text == format!("said {number}");
            }
        }
    }

    /// Puts the history as it is shown in the place of what it is.
    pub(crate) fn put_back(&mut self) {
        self.note(|| "put the history back".to_owned());
        let shown = self.runner.messages();
        self.runner.request_mut().messages = shown;
        let mut world = self.world();
        (world.is_edited, world.is_put_back) = (true, true);
    }

    pub(crate) fn push(&mut self) {
        self.note(|| "push a message".to_owned());
        let message = Message::user("pushed");
        self.runner.request_mut().messages.push(message);
        self.world().is_edited = true;
    }

    /// The last calls of the history.
    fn last_calls(&self) -> Vec<ToolCall> {
        let mut messages = self.runner.request().messages.iter().rev();
        let last = messages.find(|message| message.role() == Role::Assistant);
        let calls = last.map(|last| last.tool_calls().cloned().collect());
        calls.unwrap_or_default()
    }

    /// Gives a result for a call that has not run, in place of its tool.
    pub(crate) fn answer(&mut self) {
        let shown = self.runner.messages();
        let calls = self.last_calls();
        let results = shown.iter().flat_map(Message::tool_results);
        let results: Vec<_> = results.collect();
        let from = results.len().saturating_sub(calls.len());
        let pairs = calls.iter().zip(&results[from..]);
        let mut open = pairs.filter(|(_, result)| result.text().contains("was not run yet"));
        let Some((call, _)) = open.next() else {
            return;
        };
        let Some(key) = Key::find(call.input().as_str()) else {
            return;
        };
        let result = ToolResult::error(call, format!("Error: program {key}"));
        let message = Message::new(Role::User, vec![Content::ToolResult(result)]);
        // One that stands there already would be a second answer.
        let own = self.runner.request().messages.iter().rev();
        let mut own = own.take_while(|message| message.role() != Role::Assistant);
        let is_there = own.any(|message| message.tool_results().next().is_some());
        let appends = {
            let mut world = self.world();
            world.note(|| format!("answer {key}"));
            world.calls.get_mut(&key).unwrap().is_answered = true;
            world.random.bool() || is_there
        };
        if appends {
            return self.runner.append_messages([message]);
        }
        let messages = &mut self.runner.request_mut().messages;
        let of_model = |message: &Message| message.role() == Role::Assistant;
        let at = messages.iter().rposition(of_model).unwrap();
        messages.insert(at + 1, message);
        self.world().is_edited = true;
    }

    /// Decides on the calls that wait, or on any.
    pub(crate) fn decide(&mut self) {
        let waiting = match self.runner.outcome() {
            Some(Outcome::AwaitingApproval { calls }) => Some(calls),
            _ => None,
        };
        let waits = waiting.is_some();
        for call in waiting.unwrap_or_else(|| self.last_calls()) {
            self.decide_on(&call, waits);
        }
    }

    fn decide_on(&mut self, call: &ToolCall, waits: bool) {
        let Some(key) = Key::find(call.input().as_str()) else {
            return;
        };
        let word = {
            let words = [
                Word::Allow,
                Word::Allow,
                Word::Deny,
                Word::Answer,
                Word::Replace,
                Word::ReplaceBadly,
                Word::Suspend,
            ];
            let mut world = self.world();
            let most = words.len() - usize::from(world.is_finale);
            words[world.random.usize(..most)]
        };
        let Some(said) = decision(word, key) else {
            return;
        };
        let decided = self.runner.decide(call.id(), said);
        let mut world = self.world();
        world.note(|| format!("decide on {key}: {word:?}: {decided:?}"));
        let part = world.calls[&key].part;
        let must_not = word.lets_run() && part.is_of != Owner::Toolkit;
        if decided.is_ok() {
            world.calls.get_mut(&key).unwrap().decided.push(word);
        }
        // The outcome does not know of an answer that was put into the history.
        let is_answered = world.calls[&key].is_answered;
        if waits && !is_answered && decided.is_ok() == must_not {
            world.fault(format!("{word:?} on {key}: {decided:?}"));
        }
    }
}
