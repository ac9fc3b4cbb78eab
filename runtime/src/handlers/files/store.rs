//! [`FileStore`]: the few things that the handlers need of whatever keeps their files.

use std::future::Future;
use std::sync::Arc;

use super::{FileError, FilePath};

/// Whatever keeps files: a directory, a database, a map. [`Memory`](super::super::Memory) and
/// [`TextEditor`](super::super::TextEditor) stand on it.
///
/// The handlers read the model's commands, check the paths and choose the words; a store does what is left. Its methods
/// may be written as `async fn`.
///
/// A path is one of the store's own: it has no `..`, and the root, which is there always, is the empty one. `create` and
/// `replace` say what must be there before, and a store keeps to it, so that no edit is lost where several are made at a
/// time.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Mutex;
/// use haft::Toolkit;
/// use haft::handlers::{FileEntry, FileError, FileInfo, FilePath, FileStore, Memory};
/// use haft::serde_json::json;
///
/// /// Files in one flat directory.
/// #[derive(Default)]
/// struct Notes(Mutex<BTreeMap<String, String>>);
///
/// impl FileStore for Notes {
///     async fn look(&self, path: &FilePath) -> Result<Option<FileInfo>, FileError> {
///         if path.is_root() {
///             return Ok(Some(FileInfo::directory(0)));
///         }
///         let notes = self.0.lock().unwrap();
///         Ok(notes.get(path.as_str()).map(|text| FileInfo::file(text.len() as u64)))
///     }
///
///     async fn list(&self, _: &FilePath) -> Result<Vec<FileEntry>, FileError> {
///         let notes = self.0.lock().unwrap();
///         let entry = |(name, text): (&String, &String)| {
///             FileEntry::new(name, FileInfo::file(text.len() as u64))
///         };
///         Ok(notes.iter().map(entry).collect())
///     }
///
///     async fn read(&self, path: &FilePath) -> Result<String, FileError> {
///         self.0.lock().unwrap().get(path.as_str()).cloned().ok_or(FileError::NotFound)
///     }
///
///     async fn create(&self, path: &FilePath, text: &str) -> Result<(), FileError> {
///         if path.names().count() != 1 {
///             return Err(FileError::other("there are no directories here"));
///         }
///         let mut notes = self.0.lock().unwrap();
///         if notes.contains_key(path.as_str()) {
///             return Err(FileError::AlreadyExists);
///         }
///         notes.insert(path.to_string(), text.to_owned());
///         Ok(())
///     }
///
///     async fn replace(&self, path: &FilePath, old: &str, new: &str) -> Result<(), FileError> {
///         match self.0.lock().unwrap().get_mut(path.as_str()) {
///             None => return Err(FileError::NotFound),
///             Some(text) if text != old => return Err(FileError::Changed),
///             Some(text) => *text = new.to_owned(),
///         }
///         Ok(())
///     }
///
///     async fn remove(&self, path: &FilePath) -> Result<(), FileError> {
///         self.0.lock().unwrap().remove(path.as_str()).map(drop).ok_or(FileError::NotFound)
///     }
///
///     async fn rename(&self, _: &FilePath, _: &FilePath) -> Result<(), FileError> {
///         Err(FileError::other("notes keep their names"))
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = Toolkit::new().with(Memory::new(Notes::default())?)?;
/// let create = json!({"command": "create", "path": "/memories/a.txt", "file_text": "Buy milk\n"});
/// let result = kit.call("memory", create).await;
/// assert_eq!(result.text(), "File created successfully at: /memories/a.txt");
/// let view = json!({"command": "view", "path": "/memories"});
/// assert!(kit.call("memory", view).await.text().ends_with("\n9B\t/memories/a.txt"));
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FileStore: Send + Sync {
    /// What is there; `None` where nothing is.
    fn look(
        &self,
        path: &FilePath,
    ) -> impl Future<Output = Result<Option<FileInfo>, FileError>> + Send;

    /// What is in a directory, in any order, hidden entries too. What the model could not reach by the name is left out.
    fn list(
        &self,
        path: &FilePath,
    ) -> impl Future<Output = Result<Vec<FileEntry>, FileError>> + Send;

    /// The text of a file.
    fn read(&self, path: &FilePath) -> impl Future<Output = Result<String, FileError>> + Send;

    /// Makes a file where nothing is, and the directories that lead there.
    /// Else [`AlreadyExists`](FileError::AlreadyExists).
    fn create(
        &self,
        path: &FilePath,
        text: &str,
    ) -> impl Future<Output = Result<(), FileError>> + Send;

    /// Puts a new text in a file that has just the old one. Else [`Changed`](FileError::Changed): the handler then reads
    /// it anew, and edits that.
    fn replace(
        &self,
        path: &FilePath,
        old: &str,
        new: &str,
    ) -> impl Future<Output = Result<(), FileError>> + Send;

    /// Removes a file, or a directory with all in it. Never asked for the root.
    fn remove(&self, path: &FilePath) -> impl Future<Output = Result<(), FileError>> + Send;

    /// Moves a file or a directory to where nothing is, and makes the directories that lead there.
    /// Else [`AlreadyExists`](FileError::AlreadyExists).
    fn rename(
        &self,
        from: &FilePath,
        to: &FilePath,
    ) -> impl Future<Output = Result<(), FileError>> + Send;
}

/// One store of several tools.
impl<T: FileStore> FileStore for Arc<T> {
    async fn look(&self, path: &FilePath) -> Result<Option<FileInfo>, FileError> {
        (**self).look(path).await
    }

    async fn list(&self, path: &FilePath) -> Result<Vec<FileEntry>, FileError> {
        (**self).list(path).await
    }

    async fn read(&self, path: &FilePath) -> Result<String, FileError> {
        (**self).read(path).await
    }

    async fn create(&self, path: &FilePath, text: &str) -> Result<(), FileError> {
        (**self).create(path, text).await
    }

    async fn replace(&self, path: &FilePath, old: &str, new: &str) -> Result<(), FileError> {
        (**self).replace(path, old, new).await
    }

    async fn remove(&self, path: &FilePath) -> Result<(), FileError> {
        (**self).remove(path).await
    }

    async fn rename(&self, from: &FilePath, to: &FilePath) -> Result<(), FileError> {
        (**self).rename(from, to).await
    }
}

/// What stands at a path of a [`FileStore`].
///
/// ```
/// use haft::handlers::{FileInfo, FileKind};
///
/// assert_eq!(FileInfo::file(12).size(), 12);
/// assert_eq!(FileInfo::directory(0).kind(), FileKind::Directory);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    kind: FileKind,
    size: u64,
}

impl FileInfo {
    /// A file of so many bytes.
    #[must_use]
    pub const fn file(size: u64) -> Self {
        Self::new(FileKind::File, size)
    }

    /// A directory, with the size that is shown of it, whatever that is.
    #[must_use]
    pub const fn directory(size: u64) -> Self {
        Self::new(FileKind::Directory, size)
    }

    /// Something of any kind.
    #[must_use]
    pub const fn new(kind: FileKind, size: u64) -> Self {
        Self { kind, size }
    }

    /// What kind of thing it is.
    #[must_use]
    pub const fn kind(self) -> FileKind {
        self.kind
    }

    /// How many bytes it has.
    #[must_use]
    pub const fn size(self) -> u64 {
        self.size
    }
}

/// What kind of thing stands at a path of a [`FileStore`]; see [`FileInfo`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A file that can be read.
    File,
    /// A directory.
    Directory,
    /// A pipe, a socket, a device: the model is told that it is there only where it asks for it by name.
    Other,
}

/// What stands in a directory of a [`FileStore`], with its name there.
///
/// ```
/// use haft::handlers::{FileEntry, FileInfo};
///
/// assert_eq!(FileEntry::new("a.txt", FileInfo::file(12)).name(), "a.txt");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    name: String,
    info: FileInfo,
}

impl FileEntry {
    /// What has this name.
    #[must_use]
    pub fn new(name: impl Into<String>, info: FileInfo) -> Self {
        let name = name.into();
        Self { name, info }
    }

    /// The name in the directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is.
    #[must_use]
    pub const fn info(&self) -> FileInfo {
        self.info
    }
}
