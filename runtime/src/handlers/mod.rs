//! Handlers that are ready: tools that an API defines, with what runs them.
//!
//! | handler | tool | what it does |
//! |---|---|---|
//! | [`FileMemory`] | [`MEMORY_20250818`](crate::anthropic::tools::MEMORY_20250818) | keeps the model's notes, in a directory |
//! | [`TextEditor`] | [`TEXT_EDITOR_20250728`](crate::anthropic::tools::TEXT_EDITOR_20250728) and older | shows and edits files, in a directory |
//! | [`Bash`] | [`BASH_20250124`](crate::anthropic::tools::BASH_20250124) and older | runs commands, in a shell that stays the same |
//! | [`X11Computer`] | [`ComputerToolset`](crate::anthropic::tools::ComputerToolset), [`ComputerUse`](crate::anthropic::tools::ComputerUse) | operates an X display |
//!
//! Each but the last is a [`Tool`](crate::Tool) for toolkits of any state. The first two stand on a [`FileStore`], so that
//! notes and files may be kept elsewhere: [`Memory`] and [`TextEditor`] take any. [`Bash`] takes any [`Shell`]. The
//! computer is what either of two tools runs on.

#![cfg_attr(
    not(all(feature = "bash", feature = "files", feature = "x11", unix)),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the page tells of all handlers"
    )
)]

#[cfg(all(feature = "bash", unix))]
mod bash;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod history;
#[cfg(feature = "files")]
mod memory;
#[cfg(feature = "files")]
mod text_editor;
#[cfg(feature = "x11")]
mod x11;

#[cfg(all(feature = "bash", unix))]
pub use self::bash::{
    Bash, BashBuilder, BashProcess, CommandEnd, CommandOutput, Shell, looks_secret,
};
#[cfg(feature = "files")]
pub use self::files::{Directory, FileEntry, FileError, FileInfo, FileKind, FilePath, FileStore};
#[cfg(feature = "files")]
pub use self::memory::{FileMemory, Memory};
#[cfg(feature = "files")]
pub use self::text_editor::{TextEditor, TextEditorVersion};
#[cfg(feature = "x11")]
pub use self::x11::X11Computer;
