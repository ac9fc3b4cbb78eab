//! The text editor tool: what the model asks of files.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use serde_json::Value;

use super::{ProviderTool, client};
use crate::anthropic::betas;

/// Files to view and to edit, as models from October 2024 know it. Its name on the wire is `str_replace_editor`. It needs
/// a beta header, which is sent by itself.
pub const TEXT_EDITOR_20241022: ProviderTool<UndoableEditorCommand> = client(
    "text_editor_20241022",
    "str_replace_editor",
    &[betas::COMPUTER_USE_2024_10_22],
);
/// Files to view and to edit, with `undo_edit`. Its name on the wire is `str_replace_editor`.
pub const TEXT_EDITOR_20250124: ProviderTool<UndoableEditorCommand> =
    client("text_editor_20250124", "str_replace_editor", &[]);
/// Files to view and to edit. Its name on the wire is `str_replace_based_edit_tool`.
pub const TEXT_EDITOR_20250429: ProviderTool<TextEditorCommand> =
    client("text_editor_20250429", "str_replace_based_edit_tool", &[]);
/// Files to view and to edit. Its name on the wire is `str_replace_based_edit_tool`.
///
/// The option `max_characters` says how much of a file the model is shown. `haft::handlers::TextEditor` is a handler.
pub const TEXT_EDITOR_20250728: ProviderTool<TextEditorCommand> =
    client("text_editor_20250728", "str_replace_based_edit_tool", &[]);

editing_commands! {
    /// What the model asks of files.
    ///
    /// The text of `insert` is read from `insert_text` and from `new_str`, as models of all times write it.
    ///
    /// ```
    /// use haft::anthropic::tools::TextEditorCommand;
    /// use haft::serde_json::{self, json};
    ///
    /// let view: TextEditorCommand = serde_json::from_value(json!({"command": "view", "path": "/a"}))?;
    /// assert_eq!(view, TextEditorCommand::View { path: "/a".into(), view_range: None });
    /// assert_eq!(serde_json::to_value(&view)?, json!({"command": "view", "path": "/a"}));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    TextEditorCommand {
        schema: #[schemars(transform = either_key)],
        path: #[serde()],
        insert_text: #[serde(alias = "new_str")],
    }
}

editing_commands! {
    /// What the model asks of files, with an edit that can be taken back: the versions up to January 2025.
    ///
    /// ```
    /// use haft::anthropic::tools::{TextEditorCommand, UndoableEditorCommand};
    /// use haft::serde_json::{self, json};
    ///
    /// let insert = json!({"command": "insert", "path": "/a", "insert_line": 0, "new_str": "Hello"});
    /// let command: UndoableEditorCommand = serde_json::from_value(insert)?;
    /// assert_eq!(
    ///     command.without_undo(),
    ///     Ok(TextEditorCommand::Insert {
    ///         path: "/a".into(),
    ///         insert_line: 0,
    ///         insert_text: "Hello".into(),
    ///     })
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    UndoableEditorCommand {
        schema: #[schemars(transform = either_key)],
        path: #[serde()],
        insert_text: #[serde(rename = "new_str", alias = "insert_text")],
        /// Take back the last edit of a file.
        UndoEdit {
            /// The file whose last edit is to be taken back.
            path: String,
        },
    }
}

impl UndoableEditorCommand {
    /// The command as one of the newer versions, which cannot take back.
    ///
    /// # Errors
    /// The path whose last edit is to be taken back, where the command is that.
    pub fn without_undo(self) -> Result<TextEditorCommand, String> {
        Ok(match self {
            Self::View { path, view_range } => TextEditorCommand::View { path, view_range },
            Self::Create { path, file_text } => TextEditorCommand::Create { path, file_text },
            Self::StrReplace {
                path,
                old_str,
                new_str,
            } => TextEditorCommand::StrReplace {
                path,
                old_str,
                new_str,
            },
            Self::Insert {
                path,
                insert_line,
                insert_text,
            } => TextEditorCommand::Insert {
                path,
                insert_line,
                insert_text,
            },
            Self::UndoEdit { path } => return Err(path),
        })
    }
}

/// The text of an insert may stand under either key, of which neither is there always.
fn either_key(schema: &mut Schema) {
    const KEYS: [&str; 2] = ["insert_text", "new_str"];
    let branches = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    let is_insert = |branch: &&mut Value| branch.pointer("/properties/insert_line").is_some();
    let Some(insert) = branches.and_then(|branches| branches.iter_mut().find(is_insert)) else {
        return;
    };
    if let Some(required) = insert.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|key| !KEYS.iter().any(|either| key == either));
    }
    if let Some(properties) = insert.get_mut("properties").and_then(Value::as_object_mut) {
        let text = KEYS.iter().find_map(|key| properties.get(*key)).cloned();
        for key in KEYS {
            if let (None, Some(text)) = (properties.get(key), &text) {
                properties.insert(key.to_owned(), text.clone());
            }
        }
    }
}
