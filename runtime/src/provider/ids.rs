//! [`Ids`]: the ids of a reply's calls, by which their results are told apart; and ids of one API at another.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::error::Error;
use crate::message::Content;

/// The ids of a reply's calls.
#[derive(Debug, Default)]
pub(super) struct Ids(HashSet<String>);

impl Ids {
    /// Takes the id of a block that is a call.
    ///
    /// # Errors
    /// Where another call has it. The id is not told: it is the server's word, which may be a key.
    pub(super) fn claim(&mut self, block: &Content) -> Result<(), Error> {
        match block.as_tool_call() {
            Some(call) if !self.0.insert(call.id().to_owned()) => Err(Error::protocol(
                "two calls of the reply have the same id, so their results could not be told apart; the server that \
                 speaks this API is at fault",
            )),
            _ => Ok(()),
        }
    }

    /// Forgets those of calls that are set aside.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// An id of another API where this one would refuse it: the same one for a call and its result.
pub(super) fn fitting(id: &str, fits: impl FnOnce(&str) -> bool) -> Cow<'_, str> {
    if fits(id) {
        id.into()
    } else {
        format!("call_{:016x}", hashed(id)).into()
    }
}

/// How long the ids of some servers are.
const SHORT: usize = 9;

/// The same where ids are nine letters or digits.
pub(super) fn in_nine(id: &str) -> Cow<'_, str> {
    let is_short = id.len() == SHORT && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_short {
        id.into()
    } else {
        short(id).into()
    }
}

/// Nine letters or digits, the same ones for the same id.
fn short(id: &str) -> String {
    const DIGITS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut rest = hashed(id);
    let mut short = String::with_capacity(SHORT);
    for _ in 0..SHORT {
        let digit = usize::try_from(rest % 36).unwrap_or_default();
        short.push(DIGITS.get(digit).copied().unwrap_or(b'0').into());
        rest /= 36;
    }
    short
}

fn hashed(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_does_not_fit_becomes_the_same_one_each_time() {
        let fit = |id| fitting(id, |id| id.len() < 8).into_owned();
        assert_eq!(fit("toolu_1"), "toolu_1");
        assert_eq!(fit("functions.look:0").len(), 21);
        assert_eq!(fit("functions.look:0"), fit("functions.look:0"));
        assert_ne!(fit("functions.look:0"), fit("functions.look:1"));
    }
}
