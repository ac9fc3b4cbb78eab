//! [`Ids`]: the ids of a reply's calls, by which their results are told apart.

use std::collections::HashSet;

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
