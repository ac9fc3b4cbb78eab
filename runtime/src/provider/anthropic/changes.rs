//! Tools that come and go in mid-run, as a message tells of them.

use serde_json::{Value, json};

use super::API;
use super::definitions::definition;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Role};
use crate::provider::ToolChange;

/// Blocks that need a beta of their own.
pub(super) const KINDS: [&str; 2] = ["tool_addition", "tool_removal"];

/// Whether a message does nothing but that.
pub(super) fn tells_of(message: &Message) -> bool {
    let mut others = message.others().peekable();
    others.peek().is_some()
        && others.all(|other| other.api == API && KINDS.contains(&other.kind.as_str()))
}

/// One message of the system that tells of all of them, in order.
///
/// # Errors
/// Where a definition cannot be sent.
pub(super) fn message(changes: &[ToolChange]) -> Result<Message, Error> {
    let content = |change| Ok(Content::other(API, RawJson::from_value(&block(change)?)));
    let content: Result<Vec<_>, Error> = changes.iter().map(content).collect();
    Ok(Message::new(Role::System, content?))
}

fn block(change: &ToolChange) -> Result<Value, Error> {
    let [addition, removal] = KINDS;
    Ok(match change {
        ToolChange::Added(added) => {
            let definition = definition(added)?;
            json!({"type": addition, "tool": {"type": "tool_definition", "definition": definition}})
        }
        ToolChange::Removed(removed) => {
            let name = removed.wire_name(&API);
            json!({"type": removal, "tool": {"type": "tool_reference", "name": name}})
        }
    })
}
