//! [`Workspace`]: a store as the model knows it, under a path of its own, with the words for what fails.

use std::error::Error as StdError;
use std::fmt;

use futures_util::lock::{Mutex, MutexGuard};

use super::{FileError, FileInfo, FileKind, FilePath, FileStore};
use crate::tool::ToolError;

/// How often an edit is made anew because the file was changed meanwhile, by someone who does not take turns.
const MAX_ATTEMPTS: usize = 100;

/// How many files and directories a listing shows.
const MAX_LISTED: usize = 2000;

/// A store under the path that the model knows it by.
pub(crate) struct Workspace<T> {
    store: T,
    /// What the model calls the root: `/memories`, or the empty text for `/`.
    root: String,
    turns: Mutex<()>,
}

/// A place that the model named.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    /// As the model wrote it.
    pub(crate) shown: &'a str,
    pub(crate) path: FilePath,
}

/// What came of an edit.
pub(crate) struct Edited<R> {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) told: R,
}

/// A directory with what is in it, for the model.
#[derive(Default)]
pub(crate) struct Listing {
    /// Paths as the model knows them; directories end with `/`.
    pub(crate) entries: Vec<(FileInfo, String)>,
    pub(crate) is_cut: bool,
}

impl<T: FileStore> Workspace<T> {
    pub(crate) fn new(store: T, root: &str) -> Self {
        let root = root.trim_end_matches('/').to_owned();
        Self {
            store,
            root,
            turns: Mutex::new(()),
        }
    }

    /// The root as the model knows it.
    pub(crate) fn root(&self) -> &str {
        match self.root.as_str() {
            "" => "/",
            root => root,
        }
    }

    pub(crate) fn set_root(&mut self, root: &str) {
        root.trim_end_matches('/').clone_into(&mut self.root);
    }

    /// The place that a path of the model means. It begins with the root, a whole name: `/memories-evil` does not.
    pub(crate) fn target<'a>(&self, shown: &'a str) -> Result<Target<'a>, ToolError> {
        let rest = shown.strip_prefix(&*self.root);
        let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
            let root = self.root();
            return Err(ToolError::new(format!(
                "Path must start with {root}, got: {shown}"
            )));
        };
        match FilePath::new(rest) {
            Ok(path) => Ok(Target { shown, path }),
            Err(error) => Err(self.told(error, shown)),
        }
    }

    /// Waits until no other change is made through here.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turns.lock().await
    }

    pub(crate) async fn look(&self, target: &Target<'_>) -> Result<Option<FileInfo>, ToolError> {
        let looked = self.store.look(&target.path).await;
        looked.map_err(|error| self.told(error, target.shown))
    }

    /// What kind of thing is there, which has to be something.
    pub(crate) async fn kind(&self, target: &Target<'_>) -> Result<FileKind, ToolError> {
        match self.look(target).await? {
            Some(info) => Ok(info.kind()),
            None => Err(self.told(FileError::NotFound, target.shown)),
        }
    }

    /// The text of a file that was there just before.
    pub(crate) async fn read(&self, target: &Target<'_>) -> Result<String, ToolError> {
        match self.store.read(&target.path).await {
            Err(FileError::NotFound) => Err(ToolError::new(format!(
                "The file {} no longer exists (may have been deleted or renamed concurrently).",
                target.shown
            ))),
            read => read.map_err(|error| self.told(error, target.shown)),
        }
    }

    /// Makes a file; `false` where something is there.
    pub(crate) async fn create(&self, target: &Target<'_>, text: &str) -> Result<bool, ToolError> {
        let _turn = self.turn().await;
        // The root of any store is there.
        if target.path.is_root() {
            return Ok(false);
        }
        match self.store.create(&target.path, text).await {
            Ok(()) => Ok(true),
            Err(FileError::AlreadyExists) => Ok(false),
            Err(error) => Err(self.told(error, target.shown)),
        }
    }

    /// Changes the text of a file, as it is found when its turn comes. `change` may be asked again.
    pub(crate) async fn edit<R>(
        &self,
        _turn: &MutexGuard<'_, ()>,
        target: &Target<'_>,
        change: impl Fn(&str) -> Result<(String, R), ToolError>,
    ) -> Result<Edited<R>, ToolError> {
        for _ in 0..MAX_ATTEMPTS {
            let before = self.read(target).await?;
            let (after, told) = change(&before)?;
            match self.store.replace(&target.path, &before, &after).await {
                Ok(()) => {
                    return Ok(Edited {
                        before,
                        after,
                        told,
                    });
                }
                Err(FileError::Changed) => {}
                Err(error) => return Err(self.told(error, target.shown)),
            }
        }
        Err(self.told(FileError::Changed, target.shown))
    }

    /// Removes a file or a directory; `false` where nothing is there that can be removed.
    pub(crate) async fn remove(&self, target: &Target<'_>) -> Result<bool, ToolError> {
        let _turn = self.turn().await;
        self.gone(self.store.remove(&target.path).await, target)
    }

    /// Renames to where nothing is; `false` where there is nothing that can be renamed.
    pub(crate) async fn rename(
        &self,
        from: &Target<'_>,
        to: &Target<'_>,
    ) -> Result<bool, ToolError> {
        let taken = || {
            let to = to.shown;
            ToolError::new(format!("The destination {to} already exists"))
        };
        let _turn = self.turn().await;
        if self.look(to).await?.is_some() {
            return Err(taken());
        }
        if self.look(from).await?.is_none() {
            return Ok(false);
        }
        match self.store.rename(&from.path, &to.path).await {
            Err(FileError::AlreadyExists) => Err(taken()),
            Err(FileError::NotDirectory) => Err(self.told(FileError::NotDirectory, to.shown)),
            renamed => self.gone(renamed, from),
        }
    }

    fn gone(&self, done: Result<(), FileError>, target: &Target<'_>) -> Result<bool, ToolError> {
        match done {
            Ok(()) => Ok(true),
            Err(FileError::NotFound | FileError::NotDirectory | FileError::NotFile) => Ok(false),
            Err(error) => Err(self.told(error, target.shown)),
        }
    }

    /// What is in a directory, two levels deep, without hidden entries, by name.
    pub(crate) async fn listing(&self, target: &Target<'_>) -> Result<Listing, ToolError> {
        let mut listing = Listing::default();
        let top = self.visible(&target.path).await;
        let top = top.map_err(|error| self.told(error, target.shown))?;
        let base = target.shown.trim_end_matches('/');
        for (path, info) in top {
            let name = path.name().unwrap_or_default();
            let is_directory = listing.push(info, format!("{base}/{name}"));
            if !is_directory || listing.is_cut {
                continue;
            }
            // One that is gone by now, or cannot be read, is shown without what is in it.
            for (inner, info) in self.visible(&path).await.unwrap_or_default() {
                let inner = inner.name().unwrap_or_default();
                listing.push(info, format!("{base}/{name}/{inner}"));
            }
        }
        Ok(listing)
    }

    /// What the model is shown of a directory, sorted.
    async fn visible(&self, path: &FilePath) -> Result<Vec<(FilePath, FileInfo)>, FileError> {
        let entries = self.store.list(path).await?;
        let shown = entries.into_iter().filter_map(|entry| {
            let (name, info) = (entry.name(), entry.info());
            if name.starts_with('.') || info.kind() == FileKind::Other {
                return None;
            }
            // A name that a path cannot have, a store should not have told.
            let path = FilePath::new(&format!("{path}/{name}")).ok()?;
            Some((path, info))
        });
        let mut shown: Vec<_> = shown.collect();
        shown.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(shown)
    }

    /// In words for the model, which hold no path but the one that it wrote.
    pub(crate) fn told(&self, error: FileError, shown: &str) -> ToolError {
        ToolError::new(match error {
            FileError::NotFound => {
                format!("The path {shown} does not exist. Please provide a valid path.")
            }
            FileError::AlreadyExists => format!("File {shown} already exists"),
            FileError::Escapes => {
                format!("Path {shown} would escape {} directory", self.root())
            }
            FileError::NotDirectory => {
                format!("The path {shown} leads through something that is not a directory.")
            }
            FileError::NotFile => format!("path '{shown}' is not a regular file"),
            FileError::NotText => format!("path '{shown}' is not valid utf-8"),
            FileError::TooLarge { limit } => {
                format!("File {shown} exceeds maximum size limit of {limit} bytes.")
            }
            FileError::Changed => {
                format!("The file {shown} is being changed by others. Please try again.")
            }
            FileError::Other(source) => {
                let shown = shown.to_owned();
                return ToolError::from_error(NoAccess { shown, source });
            }
        })
    }
}

impl Listing {
    /// Adds an entry where there is room; says whether it is a directory.
    fn push(&mut self, info: FileInfo, mut path: String) -> bool {
        let is_directory = info.kind() == FileKind::Directory;
        if self.entries.len() == MAX_LISTED {
            self.is_cut = true;
            return is_directory;
        }
        if is_directory {
            path.push('/');
        }
        self.entries.push((info, path));
        is_directory
    }

    /// The last line, where not all is shown.
    pub(crate) fn notice(&self) -> Option<String> {
        let notice = format!("[Cut off: only the first {MAX_LISTED} entries are shown.]");
        self.is_cut.then_some(notice)
    }
}

/// A failure that has no words of its own.
#[derive(Debug)]
struct NoAccess {
    shown: String,
    source: Box<dyn StdError + Send + Sync>,
}

impl fmt::Display for NoAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The path {} cannot be used", self.shown)
    }
}

impl StdError for NoAccess {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}
