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

pub(super) fn hashed(id: &str) -> u64 {
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
