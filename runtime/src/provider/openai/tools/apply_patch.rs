//! The patch tool: what the model changes in files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::client;
use crate::tool::ProviderTool;

/// Changes of files, one file at a time.
///
/// An error of the handler tells the model that the patch was not applied, and why; it then tries another one.
///
/// ```
/// use haft::openai::tools::{APPLY_PATCH, PatchOperation};
/// use haft::tool;
///
/// /// Change a file of the project.
/// #[tool(provider = APPLY_PATCH)]
/// async fn patch(operation: PatchOperation) -> Result<String, String> {
///     match operation {
///         PatchOperation::DeleteFile { path } => Ok(format!("deleted {path}")),
///         other => Err(format!("{} cannot be changed", other.path())),
///     }
/// }
/// ```
pub const APPLY_PATCH: ProviderTool<PatchOperation> = client("apply_patch", "apply_patch");

/// What the model changes.
///
/// A `diff` is in the V4A form, which is not that of `diff -u`. Of a new file, each line begins with `+`. Of a change,
/// sections begin with `@@` or `@@ a line above`, which narrows the search; then come lines that begin with a space
/// (they stand there), `-` (they go) and `+` (they come); an empty line stands for an empty one that is there. The lines
/// that are there are searched for behind the section before: as they are, then without white space at their ends, then
/// without any around them. `*** End of File` says that a section is at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    crate = "::serde",
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum PatchOperation {
    /// Make a file.
    CreateFile {
        /// The file.
        path: String,
        /// What is to stand in it, each line after a `+`.
        diff: String,
    },
    /// Change a file.
    UpdateFile {
        /// The file.
        path: String,
        /// The change, in the V4A form.
        diff: String,
    },
    /// Delete a file.
    DeleteFile {
        /// The file.
        path: String,
    },
}

impl PatchOperation {
    /// The file that is meant, whichever it is. It is the model's word: nothing keeps it inside of a folder.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::CreateFile { path, .. }
            | Self::UpdateFile { path, .. }
            | Self::DeleteFile { path } => path,
        }
    }
}
