//! Handlers that are ready: tools that an API defines, with what runs them.
//!
//! | handler | tool | what it does |
//! |---|---|---|
//! | [`FileMemory`] | [`MEMORY_20250818`](crate::anthropic::tools::MEMORY_20250818) | keeps the model's notes, in a directory |
//! | [`TextEditor`] | [`TEXT_EDITOR_20250728`](crate::anthropic::tools::TEXT_EDITOR_20250728) and older | shows and edits files, in a directory |
//!
//! Each is a [`Tool`](crate::Tool) for toolkits of any state. Both stand on a [`FileStore`], so that notes and files may
//! be kept elsewhere: [`Memory`] and [`TextEditor`] take any.

#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod history;
#[cfg(feature = "files")]
mod memory;
#[cfg(feature = "files")]
mod text_editor;

#[cfg(feature = "files")]
pub use self::files::{Directory, FileEntry, FileError, FileInfo, FileKind, FilePath, FileStore};
#[cfg(feature = "files")]
pub use self::memory::{FileMemory, Memory};
#[cfg(feature = "files")]
pub use self::text_editor::{TextEditor, TextEditorVersion};
