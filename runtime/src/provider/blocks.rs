//! [`Blocks`]: the blocks of a message that was read, in both of their forms.

use crate::json::RawJson;
use crate::message::Content;

/// Blocks in their neutral form, and as they came.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) content: Vec<Content>,
    pub(super) native: Vec<RawJson>,
}

impl Blocks {
    /// Takes a block in that was read.
    pub(super) fn push(&mut self, (content, native): (Content, RawJson)) {
        self.content.push(content);
        self.native.push(native);
    }
}
