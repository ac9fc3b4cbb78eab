//! The memory tool: what the model asks of its notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProviderTool, client};

/// Notes that the model keeps between conversations. Its name on the wire is `memory`. `haft::handlers::FileMemory` is a
/// handler.
pub const MEMORY_20250818: ProviderTool<MemoryCommand> = client("memory_20250818", "memory", &[]);

/// What the model asks of its notes. Every path begins with `/memories`.
///
/// ```
/// use haft::anthropic::tools::MemoryCommand;
/// use haft::serde_json::{self, json};
///
/// let create = json!({"command": "create", "path": "/memories/a.txt", "file_text": "Buy milk"});
/// let command: MemoryCommand = serde_json::from_value(create.clone())?;
/// assert_eq!(
///     command,
///     MemoryCommand::Create { path: "/memories/a.txt".into(), file_text: "Buy milk".into() }
/// );
/// assert_eq!(serde_json::to_value(&command)?, create);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    crate = "::serde",
    tag = "command",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum MemoryCommand {
    /// Show a directory or a file.
    View {
        /// The directory or file to show.
        #[schemars(extend("examples" = ["/memories"]))]
        path: String,
        /// The first and the last line to show of a file, counted from 1; -1 as the last is the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view_range: Option<[i64; 2]>,
    },
    /// Make a file.
    Create {
        /// The file to make.
        path: String,
        /// What is to stand in it.
        file_text: String,
    },
    /// Replace a text that stands in a file just once.
    StrReplace {
        /// The file to change.
        path: String,
        /// The text to replace, exactly as it stands there.
        old_str: String,
        /// The text to put in its place; nothing if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        new_str: Option<String>,
    },
    /// Put text between the lines of a file.
    Insert {
        /// The file to change.
        path: String,
        /// The line behind which the text goes; 0 is the beginning.
        insert_line: i64,
        /// The text to put in.
        insert_text: String,
    },
    /// Delete a file, or a directory with all in it.
    Delete {
        /// What to delete.
        path: String,
    },
    /// Rename or move a file or a directory.
    Rename {
        /// What to rename.
        old_path: String,
        /// Its new path, at which nothing may stand.
        new_path: String,
    },
}
