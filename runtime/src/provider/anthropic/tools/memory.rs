//! The memory tool: what the model asks of its notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ProviderTool, client};

/// Notes that the model keeps between conversations. Its name on the wire is `memory`. `haft::handlers::FileMemory` is a
/// handler.
pub const MEMORY_20250818: ProviderTool<MemoryCommand> = client("memory_20250818", "memory", &[]);

editing_commands! {
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
    MemoryCommand {
        schema: #[schemars()],
        path: #[schemars(extend("examples" = ["/memories"]))],
        insert_text: #[serde()],
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
}
