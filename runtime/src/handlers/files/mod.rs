//! Files that a model works on, wherever they are kept: what the memory and the text editor share.

mod atomic;
mod confined;
mod directory;
mod error;
mod path;
mod store;
pub(super) mod text;
mod workspace;

pub use self::directory::Directory;
pub use self::error::FileError;
pub use self::path::FilePath;
pub use self::store::{FileEntry, FileInfo, FileKind, FileStore};
pub(super) use self::workspace::{Target, Workspace};
