//! Keeps the request bodies that tests send, for a validator outside of them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::fail;

/// Writes the body of request number `n` of a test into the folder that `HAFT_BODIES` names, as `TEST-N.json`; does
/// nothing where it names none. The first request of a test removes what a former run of the same test left.
///
/// In the file's name all but letters, digits, `.`, `_` and `-` becomes `_`.
///
/// # Panics
/// Where the file cannot be written: a validator must not pass for want of it.
pub fn record_body(test_name: &str, n: usize, bytes: &[u8]) {
    let Some(folder) = env::var_os("HAFT_BODIES").filter(|folder| !folder.is_empty()) else {
        return;
    };
    if let Err(error) = write(Path::new(&folder), test_name, n, bytes) {
        fail(format_args!(
            "a body of {test_name} cannot be written to HAFT_BODIES: {error}"
        ));
    }
}

fn write(folder: &Path, test_name: &str, n: usize, bytes: &[u8]) -> io::Result<()> {
    let stem: String = test_name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .collect();
    fs::create_dir_all(folder)?;
    if n == 0 {
        remove_former(folder, &stem)?;
    }
    fs::write(folder.join(format!("{stem}-{n}.json")), bytes)
}

fn remove_former(folder: &Path, stem: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path: PathBuf = entry?.path();
        if is_body_of(&path, stem) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn is_body_of(path: &Path, stem: &str) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let number = name
        .strip_prefix(stem)
        .and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".json"));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_replaces_the_bodies_of_the_former_one_and_no_others() {
        let folder = env::temp_dir().join(format!("haft-tests-bodies-{}", std::process::id()));
        for n in 0..3 {
            write(&folder, "a::test", n, b"former").unwrap();
        }
        write(&folder, "a::test-2", 1, b"other").unwrap();
        write(&folder, "a::test", 0, b"new").unwrap();
        write(&folder, "a::test", 1, b"newer").unwrap();
        let mut names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(
            names,
            ["a__test-0.json", "a__test-1.json", "a__test-2-1.json"]
        );
        assert_eq!(fs::read(folder.join("a__test-0.json")).unwrap(), b"new");
        assert_eq!(fs::read(folder.join("a__test-1.json")).unwrap(), b"newer");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        write(Path::new("/dev/null/folder"), "test", 0, b"{}").unwrap_err();
    }
}
