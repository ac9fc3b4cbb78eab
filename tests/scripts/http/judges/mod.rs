//! What has to hold for the body of a request, by the rules of its API; nothing of haft's own judgement.

pub(super) mod anthropic;
pub(super) mod chat;
pub(super) mod responses;

use haft::serde_json::{self, Value};
use haft::{Content, Message, Role};

use crate::world::Attempt;

/// What is known of a request before it arrives.
#[derive(Debug)]
pub(super) struct Asked {
    is_streamed: bool,
    /// What is in its history.
    has: Parts,
    judge: fn(&Value) -> Result<Parts, String>,
}

/// What no request may lose on its way: in the order in which it stands in the history.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) calls: Vec<String>,
    pub(super) results: usize,
    /// What the model has thought, of what goes back.
    pub(super) thoughts: Vec<String>,
}

impl Asked {
    pub(super) fn new(
        attempt: &Attempt,
        judge: fn(&Value) -> Result<Parts, String>,
        keeps: fn(&Message) -> bool,
    ) -> Self {
        let mut has = Parts::default();
        for message in &attempt.sent {
            let calls = message.tool_calls().map(|call| call.id().to_owned());
            has.calls.extend(calls);
            has.results += message.tool_results().count();
            if message.role() != Role::Assistant || !keeps(message) {
                continue;
            }
            let thoughts = message.content().iter().filter_map(|block| match block {
                Content::Thinking(thinking) => Some(thinking.text.clone()),
                _ => None,
            });
            has.thoughts.extend(thoughts);
        }
        Self {
            is_streamed: attempt.is_streamed,
            has,
            judge,
        }
    }

    /// As calls are counted where their ids are not those of the history.
    pub(super) fn without_ids(mut self) -> Self {
        self.has.calls.iter_mut().for_each(String::clear);
        self
    }

    /// What is wrong with a body.
    pub(super) fn fault(&self, body: &Value) -> Option<String> {
        if body["stream"].as_bool().unwrap_or_default() != self.is_streamed {
            return Some(format!("it is streamed: {}", body["stream"]));
        }
        match (self.judge)(body) {
            Err(fault) => Some(fault),
            Ok(parts) => {
                let fault = || format!("the history has {:?}, and it has {parts:?}", self.has);
                (parts != self.has).then(fault)
            }
        }
    }
}

/// Fails with these words where it does not hold.
fn check(holds: bool, words: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(words()) }
}

/// The list in a field.
fn list<'a>(value: &'a Value, field: &str) -> Result<&'a Vec<Value>, String> {
    let list = value[field].as_array();
    list.ok_or_else(|| format!("`{field}` is no list in {value}"))
}

/// The text in a field.
fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, String> {
    let text = value[field].as_str();
    text.ok_or_else(|| format!("`{field}` is no text in {value}"))
}

/// Arguments that are a text: that of an object.
fn check_arguments(arguments: &Value) -> Result<(), String> {
    let text = arguments.as_str().unwrap_or_default();
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    check(value.is_object(), || {
        format!("the arguments are {arguments}")
    })
}
