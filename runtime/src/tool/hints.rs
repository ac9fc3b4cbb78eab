//! [`Hints`]: what a tool says about its effects.

use serde::{Deserialize, Serialize};

/// What a tool says about its effects; `None` where it says nothing.
///
/// These are the hints of MCP's `ToolAnnotations`, with its meanings and its defaults. They are sent to MCP clients,
/// and are there for hooks that decide what may run. The model is not told them, and nothing checks them: a program
/// believes only tools that it trusts. A runner runs a call again that was interrupted if its tool is read-only or
/// idempotent; of others it tells the model that it is unknown whether they took effect.
///
/// ```
/// use haft::{FunctionTool, Tool, Toolkit};
/// use haft::serde_json::{Value, json};
///
/// let schema = json!({"type": "object"});
/// let list = FunctionTool::from_schema("list", "", schema.clone(), |_: Value| async { "a, b" })?.read_only(true);
/// let delete = FunctionTool::from_schema("delete", "", schema, |_: Value| async {})?.idempotent(true);
/// let kit: Toolkit = Toolkit::new().with(list)?.with(delete)?;
/// // What says nothing may change things.
/// let safe = kit.filter(|definition| definition.hints().read_only == Some(true));
/// assert_eq!(safe.names().collect::<Vec<_>>(), ["list"]);
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Hints {
    /// Whether it changes nothing around it. By default `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Whether its changes may destroy something, and do not only add. By default `true`; without meaning for a tool
    /// that is read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Whether a second call with the same arguments changes nothing more. By default `false`; without meaning for a
    /// tool that is read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether it deals with an open world, such as the web, and not with a closed one, such as a notebook. By default
    /// `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Hints {
    pub(super) fn are_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a call that was interrupted may run again.
    pub(crate) fn may_repeat(self) -> bool {
        [self.read_only, self.idempotent].contains(&Some(true))
    }

    /// With the later of two words that exclude each other: the earlier one is taken back.
    pub(super) fn set_read_only(&mut self, read_only: bool) {
        self.read_only = Some(read_only);
        if read_only && self.destructive == Some(true) {
            self.destructive = Some(false);
        }
    }

    /// As [`set_read_only`](Self::set_read_only), the other way round.
    pub(super) fn set_destructive(&mut self, destructive: bool) {
        self.destructive = Some(destructive);
        if destructive && self.read_only == Some(true) {
            self.read_only = Some(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_words_that_exclude_each_other_the_later_counts() {
        let mut hints = Hints::default();
        hints.set_destructive(true);
        hints.set_read_only(true);
        assert_eq!(
            (hints.read_only, hints.destructive),
            (Some(true), Some(false))
        );
        hints.set_destructive(true);
        assert_eq!(
            (hints.read_only, hints.destructive),
            (Some(false), Some(true))
        );
    }

    #[test]
    fn words_that_fit_stand_side_by_side() {
        let mut hints = Hints::default();
        hints.set_read_only(true);
        hints.set_destructive(false);
        assert_eq!(
            (hints.read_only, hints.destructive),
            (Some(true), Some(false))
        );
        hints.set_read_only(false);
        assert_eq!(
            (hints.read_only, hints.destructive),
            (Some(false), Some(false))
        );
    }
}
