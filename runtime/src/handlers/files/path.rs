//! [`FilePath`]: where something stands in a store. One that exists leads nowhere else.

use std::fmt;

use super::FileError;

/// More than any person nests directories, and few enough that deleting them one in another stays cheap.
const MAX_DEPTH: usize = 64;

/// Where a file or a directory stands in a [`FileStore`](super::FileStore): names joined by `/`, below the store's root.
///
/// It has no `..`, no `.`, no empty name, and no `/` at its ends, so that one place has one path. The root is the empty
/// path.
///
/// ```
/// use haft::handlers::FilePath;
///
/// let path = FilePath::new("/people//ada.txt")?;
/// assert_eq!(path.as_str(), "people/ada.txt");
/// assert_eq!(path.name(), Some("ada.txt"));
/// assert_eq!(path.parent(), Some(FilePath::new("people")?));
/// assert!(FilePath::new("people/../../secret").is_err());
/// # Ok::<(), haft::handlers::FileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath(String);

impl FilePath {
    /// Reads a path: `/` at its ends, doubled `/` and `.` mean nothing.
    ///
    /// # Errors
    /// [`Escapes`](FileError::Escapes) where a name is `..`, even if it would stay in the store: what `a/..` is depends
    /// on whether `a` is a link. Another one where it is more than 64 names deep, or has a NUL in it.
    pub fn new(path: &str) -> Result<Self, FileError> {
        let mut names = Vec::new();
        for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
            // There, these separate names as `/` does, or name a drive.
            let splits = cfg!(windows) && name.contains(['\\', ':']);
            if name == ".." || splits {
                return Err(FileError::Escapes);
            }
            names.push(name);
        }
        if names.len() > MAX_DEPTH {
            return Err(FileError::other(format!(
                "it is more than {MAX_DEPTH} directories deep"
            )));
        }
        if path.contains('\0') {
            return Err(FileError::other("a name has a NUL character in it"));
        }
        Ok(Self(names.join("/")))
    }

    /// The names, joined by `/`; empty for the root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last name; none for the root.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.rsplit('/').next().filter(|name| !name.is_empty())
    }

    /// The directory that it is in; none for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        match self.0.rsplit_once('/') {
            Some((parent, _)) => Some(Self(parent.to_owned())),
            None => (!self.is_root()).then(Self::default),
        }
    }

    /// The names, from the root on.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    /// Whether it is `other`, or in it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        match self.0.strip_prefix(&*other.0) {
            Some(rest) => other.is_root() || rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::new(text).unwrap()
    }

    #[test]
    fn one_place_has_one_path() {
        for text in ["a/b", "/a/b", "a/b/", "//a///b//", "./a/./b/."] {
            assert_eq!(path(text).as_str(), "a/b", "{text}");
        }
        for text in ["", "/", ".", "/./"] {
            assert!(path(text).is_root(), "{text}");
        }
        assert_eq!(path("...").as_str(), "...");
        assert_eq!(path("a b/ü").names().collect::<Vec<_>>(), ["a b", "ü"]);
    }

    #[test]
    fn nothing_leads_up() {
        for text in ["..", "../a", "a/..", "a/../b", "/../a", "a/b/../../.."] {
            let refused = FilePath::new(text);
            assert!(matches!(refused, Err(FileError::Escapes)), "{text}");
        }
        assert!(FilePath::new("a\0b").is_err());
        assert!(FilePath::new(&"a/".repeat(64)).is_ok());
        assert!(FilePath::new(&"a/".repeat(65)).is_err());
    }

    #[test]
    fn a_path_knows_where_it_is() {
        assert_eq!(path("a/b/c").parent(), Some(path("a/b")));
        assert_eq!(path("a").parent(), Some(path("")));
        assert_eq!((path("").parent(), path("").name()), (None, None));
        assert_eq!(path("a/b").name(), Some("b"));
        for (inner, outer, is) in [
            ("a/b", "a", true),
            ("a", "a", true),
            ("a", "", true),
            ("ab", "a", false),
            ("a", "a/b", false),
        ] {
            assert_eq!(
                path(inner).is_within(&path(outer)),
                is,
                "{inner} in {outer}"
            );
        }
    }
}
