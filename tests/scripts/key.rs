//! [`Key`]: which block of which reply something is, written into all that comes of it.

use std::fmt;

use haft::{Content, Message};

/// A block of a reply: the request that it answers, how often the reply had begun anew, its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) attempt: usize,
    pub(crate) take: usize,
    pub(crate) block: usize,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k{}_{}_{}", self.attempt, self.take, self.block)
    }
}

impl Key {
    /// The first key that is written in a text.
    pub(crate) fn find(text: &str) -> Option<Self> {
        text.match_indices('k')
            .find_map(|(at, _)| Self::parse(text.get(at + 1..)?))
    }

    fn parse(text: &str) -> Option<Self> {
        let end = text.find(|digit: char| !digit.is_ascii_digit() && digit != '_');
        let mut numbers = text.get(..end.unwrap_or(text.len()))?.split('_');
        let mut number = || numbers.next()?.parse().ok();
        Some(Self {
            attempt: number()?,
            take: number()?,
            block: number()?,
        })
    }

    /// The key of a block of the model's.
    pub(crate) fn of(block: &Content) -> Option<Self> {
        match block {
            Content::Text(text) => Self::find(&text.text),
            Content::Thinking(thinking) => Self::find(&thinking.text),
            Content::ToolCall(call) => Self::find(call.input().as_str()),
            Content::Other(other) => Self::find(other.json.as_str()),
            _ => None,
        }
    }

    /// The key of the first block that has one: of a message of the model's, which attempt it came from.
    pub(crate) fn of_message(message: &Message) -> Option<Self> {
        message.content().iter().find_map(Self::of)
    }
}
