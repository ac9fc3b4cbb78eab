//! [`Asked`]: what is known of a reply before it comes.

use super::ModelCall;
use crate::toolkit::Names;

/// What is known of a reply before it comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The model that was asked.
    pub(super) model: &'a str,
    /// How many replies the run has received before.
    pub(super) turn: usize,
    /// How the API names the tools that it defines.
    pub(super) names: &'a Names,
}

impl<'a> From<ModelCall<'a>> for Asked<'a> {
    fn from(call: ModelCall<'a>) -> Self {
        Self {
            model: &call.request().model,
            turn: call.turn(),
            names: call.definitions().names(),
        }
    }
}

impl Asked<'_> {
    /// The id of a call whose server gave none, by its block's place: the same however often it is read.
    pub(super) fn missing_id(self, place: usize) -> String {
        format!("call_{}_{place}", self.turn)
    }
}
