//! [`Kept`]: what an API has of a conversation.

use crate::message::Message;

/// What an API has of a conversation.
#[derive(Debug)]
pub(super) struct Kept {
    /// The id of the last reply in it.
    pub(super) id: String,
    /// The messages, that reply included.
    pub(super) messages: Vec<Message>,
}

impl Kept {
    /// Whether what is to be sent is what the API has and something behind it. Whoever edits a history makes other
    /// messages of it.
    pub(super) fn goes_on_in(&self, messages: &[Message]) -> bool {
        let is_longer = messages.len() >= self.messages.len();
        let mut pairs = self.messages.iter().zip(messages);
        is_longer && pairs.all(|(own, other)| own.is_same(other))
    }
}
