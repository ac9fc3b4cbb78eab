//! [`ToolChange`]: a tool that comes or goes in mid-run.

use serde::{Deserialize, Serialize};

use crate::tool::ToolDefinition;

/// A tool that comes or goes in mid-run, for a provider that tells its model of it in a message.
///
/// ```
/// use haft::ToolChange;
///
/// fn words(change: &ToolChange) -> String {
///     let name = change.definition().name();
///     match change {
///         ToolChange::Added(_) => format!("there is {name} now"),
///         _ => format!("there is no {name} any more"),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChange {
    /// It is there from now on, in place of one of the same name.
    Added(ToolDefinition),
    /// It is there no more.
    Removed(ToolDefinition),
}

impl ToolChange {
    /// The tool.
    #[must_use]
    pub const fn definition(&self) -> &ToolDefinition {
        match self {
            Self::Added(definition) | Self::Removed(definition) => definition,
        }
    }
}
