//! Single steps below a directory's handle, and what their errors mean.

use std::io;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, DirBuilder, File, Metadata, OpenOptions, Permissions};

use super::{FileError, FileInfo, FileKind, FilePath};

/// What stands at a name itself.
pub(crate) enum Kind {
    Link,
    Known(FileKind),
}

pub(crate) fn kind_at(directory: &Dir, name: &str) -> Result<Kind, FileError> {
    let metadata = directory.symlink_metadata(name)?;
    Ok(match metadata.is_symlink() {
        true => Kind::Link,
        false => Kind::Known(info_of(&metadata).kind()),
    })
}

/// Opens a file, and looks at what was opened: it is a regular one.
pub(crate) fn open_regular(
    directory: &Dir,
    name: &str,
    follow: FollowSymlinks,
) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    options.read(true).follow(follow);
    // A pipe that nobody writes to would be waited for, and only then be seen to be one.
    #[cfg(unix)]
    cap_fs_ext::OpenOptionsSyncExt::nonblock(&mut options, true);
    let file = match directory.open_with(name, &options) {
        Ok(file) => file,
        // Swapped in meanwhile.
        Err(error) if is_loop(&error) => return Err(FileError::NotFile),
        Err(error) => return Err(outside_or(error)),
    };
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(FileError::NotFile),
    }
}

/// Makes a directory for the owner alone; one that is there by now is as good.
pub(crate) fn make_directory(parent: &Dir, name: &str) -> io::Result<()> {
    #[allow(unused_mut, reason = "where there are no modes")]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match parent.create_dir_with(name, &builder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

pub(crate) fn permissions_of(metadata: &Metadata) -> Permissions {
    #[allow(unused_mut, reason = "where there are no modes")]
    let mut permissions = metadata.permissions();
    #[cfg(unix)]
    {
        use cap_std::fs::PermissionsExt;
        // Not the bits that lend the owner's rights: the program that had them was another one.
        let mode = permissions.mode() & 0o777;
        permissions.set_mode(mode);
    }
    permissions
}

pub(crate) fn info_of(metadata: &Metadata) -> FileInfo {
    let kind = if metadata.is_file() {
        FileKind::File
    } else if metadata.is_dir() {
        FileKind::Directory
    } else {
        FileKind::Other
    };
    FileInfo::new(kind, metadata.len())
}

/// A path as the operating system takes it.
pub(crate) fn name_of(path: &FilePath) -> &str {
    match path.as_str() {
        "" => ".",
        path => path,
    }
}

/// cap-std refuses what leads out with an error that no operating system gave.
pub(crate) fn outside_or(error: io::Error) -> FileError {
    let is_its_own = error.raw_os_error().is_none();
    match error.kind() {
        io::ErrorKind::PermissionDenied if is_its_own => FileError::Escapes,
        _ => FileError::from(error),
    }
}

pub(crate) fn leads_nowhere(error: &io::Error) -> bool {
    let is_missing = matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    );
    is_missing || is_loop(error)
}

/// Whether links lead to each other. `FilesystemLoop` has no stable name yet.
fn is_loop(error: &io::Error) -> bool {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    return rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP);
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    return format!("{:?}", error.kind()) == "FilesystemLoop";
}
