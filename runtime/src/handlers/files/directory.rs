//! [`Directory`]: files in one directory of the host, which no path leads out of.
//!
//! Every path is opened below the directory's handle, by the kernel where it can (`openat2`) and else name by name. So
//! a link that is swapped in after some check leads nowhere else; there is no check that must hold later.

use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_fs_ext::FollowSymlinks;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata};

use super::atomic::{Draft, rename_new};
use super::confined::{
    Kind, info_of, kind_at, leads_nowhere, make_directory, name_of, open_regular, outside_or,
    permissions_of,
};
use super::{FileEntry, FileError, FileInfo, FileKind, FilePath, FileStore};
use crate::error::Error;
use crate::tool::on_pool;

/// How many entries of one directory are looked at; a model is shown fewer.
const MOST_ENTRIES: usize = 10_000;

const MAX_BYTES: u64 = 10 * 1024 * 1024;

/// Files in one directory of the host, which no path leads out of: the [`FileStore`] that
/// [`FileMemory`](super::super::FileMemory) and [`TextEditor::open`](super::super::TextEditor::open) stand on.
///
/// - **Links** that stay in the directory are followed, but for an absolute one. One that leads out is refused and not
///   listed, even if it is put there while a call runs. `remove` and `rename` are about the link itself.
/// - **Only regular files** are read, without waiting: a pipe, a device or a socket is refused. So is a file that is too
///   large, by default more than 10 MiB, or not UTF-8. Names that are not UTF-8 are not listed, and cannot be reached.
/// - **A file is written whole or not at all.** It is written under another name, to the disk, and then renamed. Only the
///   owner may read a new file (mode 0600) or a new directory (0700), each one that leads there too.
///
/// It does its work on tokio's pool of blocking threads; outside of a tokio runtime here and now. Clones are of the same
/// directory, and edit it in turn. An edit looks whether the file is still what was read; another program that writes
/// between that look and the rename is not noticed.
///
/// ```
/// use haft::Toolkit;
/// use haft::handlers::{Directory, Memory, TextEditor};
///
/// # let dir = std::env::temp_dir().join(format!("haft-directory-{}", std::process::id()));
/// let notes = Directory::open(&dir)?.with_max_bytes(64 * 1024);
/// let kit: Toolkit = Toolkit::new().with(Memory::new(notes.clone())?)?.with(TextEditor::new(notes)?)?;
/// # std::fs::remove_dir_all(dir).unwrap();
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Directory {
    root: Arc<Dir>,
    /// Held while something is changed.
    changing: Arc<Mutex<()>>,
    max_bytes: u64,
    keeps_modes: bool,
}

impl Directory {
    /// The files in `path`, which is made where it is missing.
    ///
    /// # Errors
    /// Where it cannot be made, or is no directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let opened = builder
            .create(path)
            .and_then(|()| Dir::open_ambient_dir(path, ambient_authority()));
        let root = opened.map_err(|error| {
            let path = path.display();
            let message = format!("the directory `{path}` cannot be opened: {error}");
            Error::configuration(message).with_source(error)
        })?;
        Ok(Self {
            root: Arc::new(root),
            changing: Arc::default(),
            max_bytes: MAX_BYTES,
            keeps_modes: false,
        })
    }

    /// How many bytes a file may have, to be read or written. 10 MiB if not set.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Whether a file that is edited keeps its mode, for files that others use too; else it gets that of a new one. In
    /// either case it belongs to the program's user afterwards, since it is a new file of that name.
    #[must_use]
    pub fn keep_modes(mut self, keep_modes: bool) -> Self {
        self.keeps_modes = keep_modes;
        self
    }

    /// Does `work` where it may block.
    async fn on<R: Send + 'static>(
        &self,
        path: &FilePath,
        work: impl FnOnce(&Self, &FilePath) -> Result<R, FileError> + Send + 'static,
    ) -> Result<R, FileError> {
        let (here, path) = (self.clone(), path.clone());
        let done = on_pool(move || work(&here, &path)).await;
        done.unwrap_or_else(|| Err(FileError::other("the program is shutting down")))
    }

    fn change(&self) -> MutexGuard<'_, ()> {
        // It guards no data that a panic could have left half done.
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is there, behind links too.
    fn metadata(&self, path: &FilePath) -> Result<Option<Metadata>, FileError> {
        match self.root.metadata(name_of(path)) {
            Ok(metadata) => Ok(Some(metadata)),
            Err(error) if leads_nowhere(&error) => Ok(None),
            Err(error) => Err(outside_or(error)),
        }
    }

    /// The directory that a path is in, and its name there.
    fn place<'a>(&self, path: &'a FilePath) -> Result<(Dir, &'a str), FileError> {
        let (Some(parent), Some(name)) = (path.parent(), path.name()) else {
            return Err(FileError::other("that is not for the root directory"));
        };
        let parent = self.root.open_dir(name_of(&parent)).map_err(outside_or)?;
        Ok((parent, name))
    }

    /// As [`place`](Self::place); directories that are missing are made.
    fn make_place<'a>(&self, path: &'a FilePath) -> Result<(Dir, &'a str), FileError> {
        let parent = path.parent().unwrap_or_default();
        let mut so_far = String::new();
        let mut directory = self.root.open_dir(".")?;
        for name in parent.names() {
            so_far.push_str(name);
            directory = match self.root.open_dir(&so_far) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    make_directory(&directory, name)?;
                    self.root.open_dir(&so_far).map_err(outside_or)?
                }
                opened => opened.map_err(outside_or)?,
            };
            so_far.push('/');
        }
        let no_name = || FileError::other("that is not for the root directory");
        Ok((directory, path.name().ok_or_else(no_name)?))
    }

    fn read_from(&self, file: &File) -> Result<String, FileError> {
        let limit = self.max_bytes;
        if file.metadata()?.len() > limit {
            return Err(FileError::TooLarge { limit });
        }
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
            return Err(FileError::TooLarge { limit });
        }
        String::from_utf8(bytes).map_err(|_| FileError::NotText)
    }

    fn fits(&self, text: &str) -> Result<(), FileError> {
        match u64::try_from(text.len()) {
            Ok(length) if length <= self.max_bytes => Ok(()),
            _ => Err(FileError::TooLarge {
                limit: self.max_bytes,
            }),
        }
    }

    fn list_now(&self, path: &FilePath) -> Result<Vec<FileEntry>, FileError> {
        let directory = self.root.open_dir(name_of(path)).map_err(outside_or)?;
        let mut entries = Vec::new();
        for entry in directory.entries()?.take(MOST_ENTRIES) {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let info = if entry.file_type()?.is_symlink() {
                let target = FilePath::new(&format!("{path}/{name}"));
                target.and_then(|target| self.metadata(&target))
            } else {
                entry.metadata().map(Some).map_err(FileError::from)
            };
            // One that leads out or nowhere, or was removed by now.
            let Ok(Some(info)) = info else {
                continue;
            };
            entries.push(FileEntry::new(name, info_of(&info)));
        }
        Ok(entries)
    }

    fn read_now(&self, path: &FilePath) -> Result<String, FileError> {
        let metadata = self.metadata(path)?.ok_or(FileError::NotFound)?;
        if !metadata.is_file() {
            return Err(FileError::NotFile);
        }
        let file = open_regular(&self.root, name_of(path), FollowSymlinks::Yes)?;
        self.read_from(&file)
    }

    fn create_now(&self, path: &FilePath, text: &str) -> Result<(), FileError> {
        self.fits(text)?;
        let _change = self.change();
        let (directory, name) = self.make_place(path)?;
        // Before anything is written, and again when it gets its name.
        if directory.symlink_metadata(name).is_ok() {
            return Err(FileError::AlreadyExists);
        }
        Draft::write(&directory, text, None)?.keep_as(name)
    }

    fn replace_now(&self, path: &FilePath, old: &str, new: &str) -> Result<(), FileError> {
        self.fits(new)?;
        let _change = self.change();
        // A link stays one, and what it leads to is replaced. From here on, no link is followed.
        let real = self.root.canonicalize(name_of(path)).map_err(outside_or)?;
        let real = real.to_str().ok_or(FileError::NotFound)?;
        let real = FilePath::new(real)?;
        let (directory, name) = self.place(&real)?;
        let file = open_regular(&directory, name, FollowSymlinks::No)?;
        if self.read_from(&file)? != old {
            return Err(FileError::Changed);
        }
        let permissions = match self.keeps_modes {
            true => Some(permissions_of(&file.metadata()?)),
            false => None,
        };
        Draft::write(&directory, new, permissions)?.replace(name)
    }

    fn remove_now(&self, path: &FilePath) -> Result<(), FileError> {
        let _change = self.change();
        let (directory, name) = self.place(path)?;
        match kind_at(&directory, name)? {
            // Never what a link leads to.
            Kind::Link => {
                self.metadata(path)?;
                directory.remove_file(name)?;
            }
            Kind::Known(FileKind::File) => directory.remove_file(name)?,
            Kind::Known(FileKind::Directory) => directory.remove_dir_all(name)?,
            Kind::Known(FileKind::Other) => return Err(FileError::NotFile),
        }
        Ok(())
    }

    fn rename_now(&self, from: &FilePath, to: &FilePath) -> Result<(), FileError> {
        let _change = self.change();
        let (old_directory, old_name) = self.place(from)?;
        match kind_at(&old_directory, old_name)? {
            // One that leads out is refused.
            Kind::Link => {
                self.metadata(from)?;
            }
            Kind::Known(FileKind::Other) => return Err(FileError::NotFile),
            Kind::Known(_) if to.is_within(from) && to != from => {
                return Err(FileError::other("a directory cannot be moved into itself"));
            }
            Kind::Known(_) => {}
        }
        let (new_directory, new_name) = self.make_place(to)?;
        rename_new((&old_directory, old_name), (&new_directory, new_name)).map_err(outside_or)
    }
}

impl FileStore for Directory {
    async fn look(&self, path: &FilePath) -> Result<Option<FileInfo>, FileError> {
        let look = |here: &Self, path: &FilePath| {
            let metadata = here.metadata(path)?;
            Ok(metadata.as_ref().map(info_of))
        };
        self.on(path, look).await
    }

    async fn list(&self, path: &FilePath) -> Result<Vec<FileEntry>, FileError> {
        self.on(path, Self::list_now).await
    }

    async fn read(&self, path: &FilePath) -> Result<String, FileError> {
        self.on(path, Self::read_now).await
    }

    async fn create(&self, path: &FilePath, text: &str) -> Result<(), FileError> {
        let text = text.to_owned();
        self.on(path, move |here, path| here.create_now(path, &text))
            .await
    }

    async fn replace(&self, path: &FilePath, old: &str, new: &str) -> Result<(), FileError> {
        let (old, new) = (old.to_owned(), new.to_owned());
        self.on(path, move |here, path| here.replace_now(path, &old, &new))
            .await
    }

    async fn remove(&self, path: &FilePath) -> Result<(), FileError> {
        self.on(path, Self::remove_now).await
    }

    async fn rename(&self, from: &FilePath, to: &FilePath) -> Result<(), FileError> {
        let to = to.clone();
        self.on(from, move |here, from| here.rename_now(from, &to))
            .await
    }
}
