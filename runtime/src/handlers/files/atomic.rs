//! Files that are there whole or not at all: written under another name in the same directory, and then renamed.

use std::io::{self, Write};

use cap_std::fs::{Dir, OpenOptions, Permissions};

use super::FileError;

/// A file that has no name of its own yet. Dropped, it is gone.
pub(crate) struct Draft<'a> {
    directory: &'a Dir,
    name: String,
    is_kept: bool,
}

impl<'a> Draft<'a> {
    /// Writes `text`, down to the disk. Only the owner may read it, unless there are other permissions for it.
    pub(crate) fn write(
        directory: &'a Dir,
        text: &str,
        permissions: Option<Permissions>,
    ) -> Result<Self, FileError> {
        // Hidden, so that no listing shows it; hard to guess, so that nobody puts something there before.
        let name = format!(".tmp-{:016x}", fastrand::u64(..));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = directory.open_with(&name, &options)?;
        let draft = Self {
            directory,
            name,
            is_kept: false,
        };
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        Ok(draft)
    }

    /// Gives it the name of a file, which is no more.
    pub(crate) fn replace(mut self, name: &str) -> Result<(), FileError> {
        self.directory.rename(&self.name, self.directory, name)?;
        self.is_kept = true;
        Ok(())
    }

    /// Gives it a name that nothing has.
    pub(crate) fn keep_as(mut self, name: &str) -> Result<(), FileError> {
        rename_new((self.directory, &self.name), (self.directory, name))?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nothing more can be done; the failure before it is told.
            let _ = self.directory.remove_file(&self.name);
        }
    }
}

/// Renames to a name that nothing has, even if something of that name comes at just this time.
pub(crate) fn rename_new(from: (&Dir, &str), to: (&Dir, &str)) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
            // Some file systems cannot.
            Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
    }
    if to.0.symlink_metadata(to.1).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from.0.rename(from.1, to.0, to.1)
}

#[cfg(test)]
mod tests {
    use cap_std::ambient_authority;

    use super::*;

    #[test]
    fn a_draft_replaces_or_is_new_or_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(root.path(), ambient_authority()).unwrap();
        let names = || dir.entries().unwrap().count();

        drop(Draft::write(&dir, "lost", None).unwrap());
        assert_eq!(names(), 0);
        Draft::write(&dir, "one", None)
            .unwrap()
            .keep_as("a")
            .unwrap();
        let taken = Draft::write(&dir, "two", None).unwrap().keep_as("a");
        assert!(matches!(taken, Err(FileError::AlreadyExists)));
        assert_eq!(
            (dir.read_to_string("a").unwrap().as_str(), names()),
            ("one", 1)
        );
        Draft::write(&dir, "two", None)
            .unwrap()
            .replace("a")
            .unwrap();
        assert_eq!(
            (dir.read_to_string("a").unwrap().as_str(), names()),
            ("two", 1)
        );

        dir.create_dir("d").unwrap();
        assert!(Draft::write(&dir, "x", None).unwrap().replace("d").is_err());
        assert_eq!(names(), 2);
        assert!(rename_new((&dir, "a"), (&dir, "d")).is_err());
        rename_new((&dir, "a"), (&dir, "b")).unwrap();
        assert_eq!(
            (dir.read_to_string("b").unwrap().as_str(), names()),
            ("two", 2)
        );
    }
}
