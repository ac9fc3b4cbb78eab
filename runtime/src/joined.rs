//! [`Joined`]: the messages of a request as its API takes them, in one piece that grows from turn to turn.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::api::Api;
use crate::error::Error;
use crate::message::Message;

/// The messages of a request as its API takes them: JSON, joined by commas. A message is encoded when it is first sent,
/// and copied with all before it from then on, in one go.
///
/// It belongs to a request and not to its messages, since a run's requests have the same messages and some more: bytes
/// that lie in one piece are copied faster than those of a thousand messages are looked for.
#[derive(Default)]
pub(crate) struct Joined(Mutex<Kept>);

/// What the bytes of a message depend on, beside the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) api: Api,
    /// The model that is asked: not all of them are sent the same.
    pub(crate) model: String,
    /// What else the codec goes by, as a number.
    pub(crate) variant: u64,
}

#[derive(Default)]
struct Kept {
    form: Option<Form>,
    messages: Vec<Message>,
    /// Where the piece of each message ends.
    ends: Vec<usize>,
    bytes: Vec<u8>,
    notes: Vec<(usize, &'static str)>,
}

/// A message that is being encoded: what is written here is added to those before it.
pub(crate) struct Piece<'a> {
    bytes: &'a mut Vec<u8>,
    notes: &'a mut Vec<(usize, &'static str)>,
    at: usize,
}

impl Piece<'_> {
    /// Adds JSON to the list; nothing where there is none.
    pub(crate) fn push(&mut self, json: &[u8]) {
        if json.is_empty() {
            return;
        }
        // Not twice as much each time: a history is the most that a run keeps.
        let more = json.len() + 1;
        if self.bytes.capacity() - self.bytes.len() < more {
            self.bytes.reserve_exact(self.bytes.len() / 8 + more);
        }
        if !self.bytes.is_empty() {
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(json);
    }

    /// Says something of the message, to be [found](Joined::notes) each time that it is sent.
    pub(crate) fn note(&mut self, note: &'static str) {
        self.notes.push((self.at, note));
    }
}

impl Joined {
    /// Shows `look` the messages from one on, encoded by `encode` as far as they were not yet.
    ///
    /// # Errors
    /// Those of `encode`, which is asked again next time.
    pub(crate) fn with<T>(
        &self,
        form: Form,
        messages: &[Message],
        from: usize,
        encode: impl FnMut(&Message, &mut Piece<'_>) -> Result<(), Error>,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Error> {
        // A poisoned lock is fine: what stands there is whole up to the last end.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.update(form, messages, encode)?;
        Ok(look(kept.from(from)))
    }

    /// What was noted of the messages that were sent last.
    pub(crate) fn notes(&self) -> Vec<&'static str> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.notes.iter().map(|(_, note)| *note).collect()
    }
}

impl Kept {
    fn update(
        &mut self,
        form: Form,
        messages: &[Message],
        mut encode: impl FnMut(&Message, &mut Piece<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let same = self.messages.iter().zip(messages);
        let mut known = same.take_while(|(own, other)| own.is_same(other)).count();
        if self.form.as_ref() != Some(&form) {
            (self.form, known) = (Some(form), 0);
        }
        self.truncate(known);
        for message in messages.iter().skip(known) {
            let at = self.ends.len();
            let mut piece = Piece {
                bytes: &mut self.bytes,
                notes: &mut self.notes,
                at,
            };
            if let Err(error) = encode(message, &mut piece) {
                self.truncate(at);
                return Err(error.at(&format!("messages[{at}]")));
            }
            self.messages.push(message.clone());
            self.ends.push(self.bytes.len());
        }
        Ok(())
    }

    fn truncate(&mut self, known: usize) {
        self.messages.truncate(known);
        self.ends.truncate(known);
        self.bytes
            .truncate(self.ends.last().copied().unwrap_or_default());
        self.notes.retain(|(at, _)| *at < known);
    }

    /// The messages from one on, without the comma before them.
    fn from(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let bytes = self.bytes.get(start.copied().unwrap_or_default()..);
        let bytes = bytes.unwrap_or_default();
        bytes.strip_prefix(b",").unwrap_or(bytes)
    }
}

/// Another request has other messages, and makes its own.
impl Clone for Joined {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Joined(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn form(variant: u64) -> Form {
        Form {
            api: Api::TESTING,
            model: "m".to_owned(),
            variant,
        }
    }

    /// How often a message was encoded, and the texts of those from one on.
    struct Codec<'a> {
        joined: &'a Joined,
        times: Cell<usize>,
    }

    impl Codec<'_> {
        fn sent(&self, variant: u64, messages: &[Message], from: usize) -> String {
            let encode = |message: &Message, piece: &mut Piece<'_>| {
                self.times.set(self.times.get() + 1);
                piece.push(message.text().as_bytes());
                if message.text() == "b" {
                    piece.note("has b");
                }
                if message.text() == "bad" {
                    return Err(Error::request("bad"));
                }
                Ok(())
            };
            let look = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            let sent = self
                .joined
                .with(form(variant), messages, from, encode, look);
            sent.unwrap_or_else(|error| error.to_string())
        }
    }

    #[test]
    fn a_message_is_encoded_once_for_one_form() {
        let joined = Joined::default();
        let codec = Codec {
            joined: &joined,
            times: Cell::new(0),
        };
        let mut messages: Vec<_> = ["a", "", "b"].map(Message::user).into();
        assert_eq!(codec.sent(0, &messages, 0), "a,b");
        messages.push(Message::user("c"));
        assert_eq!(codec.sent(0, &messages, 0), "a,b,c");
        assert_eq!((codec.times.get(), joined.notes()), (4, vec!["has b"]));
        assert_eq!(codec.sent(1, &messages, 0), "a,b,c");
        assert_eq!(codec.times.get(), 8, "another form is other bytes");
        assert_eq!(codec.sent(1, &messages, 1), "b,c");
        assert_eq!(codec.sent(1, &messages, 4), "");
        assert_eq!(codec.times.get(), 8);
    }

    #[test]
    fn what_stands_behind_an_edit_is_encoded_again() {
        let joined = Joined::default();
        let codec = Codec {
            joined: &joined,
            times: Cell::new(0),
        };
        let mut messages: Vec<_> = ["a", "b", "c"].map(Message::user).into();
        codec.sent(0, &messages, 0);
        messages[1] = Message::user("x");
        assert_eq!(codec.sent(0, &messages, 0), "a,x,c");
        assert_eq!((codec.times.get(), joined.notes()), (5, vec![]));
        messages.truncate(1);
        assert_eq!(codec.sent(0, &messages, 0), "a");
        messages.push(Message::user("bad"));
        assert_eq!(codec.sent(0, &messages, 0), "messages[1]: bad");
        messages.pop();
        assert_eq!(codec.sent(0, &messages, 0), "a");
        assert_eq!(codec.times.get(), 6);
    }
}
