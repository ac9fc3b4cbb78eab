//! [`FileError`]: why a store did not do what was asked.

use std::error::Error as StdError;
use std::{fmt, io};

/// Why a [`FileStore`](super::FileStore) did not do what was asked. The handler puts it in words for the model.
///
/// An [`io::Error`] becomes one by `?`, and any other error by [`FileError::other`], whose message the model reads: it is
/// to hold nothing that the model may not know, such as a path of the host.
///
/// ```
/// use haft::handlers::FileError;
///
/// let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
/// assert!(matches!(FileError::from(gone), FileError::NotFound));
/// assert_eq!(FileError::other("the database is locked").to_string(), "the database is locked");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// Nothing is there.
    NotFound,
    /// Something is there already.
    AlreadyExists,
    /// The path leads out of the store.
    Escapes,
    /// The path leads through something that is no directory.
    NotDirectory,
    /// It is no regular file: a directory, a pipe, a device.
    NotFile,
    /// It is no UTF-8 text.
    NotText,
    /// The file is too large, or would become so.
    TooLarge {
        /// How many bytes a file may have.
        limit: u64,
    },
    /// The file is no longer what it was when the edit was made.
    Changed,
    /// Anything else.
    Other(Box<dyn StdError + Send + Sync>),
}

impl FileError {
    /// Any other failure.
    #[must_use]
    pub fn other(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("does not exist"),
            Self::AlreadyExists => f.write_str("already exists"),
            Self::Escapes => f.write_str("leads out of the store"),
            Self::NotDirectory => f.write_str("leads through something that is not a directory"),
            Self::NotFile => f.write_str("is not a regular file"),
            Self::NotText => f.write_str("is not valid utf-8"),
            Self::TooLarge { limit } => write!(f, "is larger than {limit} bytes"),
            Self::Changed => f.write_str("was changed meanwhile"),
            Self::Other(error) => error.fmt(f),
        }
    }
}

impl StdError for FileError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            // It prints as that one, whose sources are next.
            Self::Other(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::AlreadyExists => Self::AlreadyExists,
            io::ErrorKind::NotADirectory => Self::NotDirectory,
            io::ErrorKind::IsADirectory => Self::NotFile,
            io::ErrorKind::InvalidData => Self::NotText,
            _ => Self::other(error),
        }
    }
}
