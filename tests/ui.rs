//! What compiles, and what the compiler says where it does not.
//!
//! A case is a file `ui/<topic>/{pass,fail}/<rule>.rs`; one that passes is run too. `HAFT_UI=rule` tries only the cases
//! of that name, `TRYBUILD=overwrite` writes what the compiler says now.
#![allow(
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use trybuild::TestCases;

// Two runs, because trybuild compiles cases side by side only where all of them must fail.

#[test]
fn fail() {
    each("fail", TestCases::compile_fail);
}

#[test]
fn pass() {
    each("pass", TestCases::pass);
}

#[test]
fn each_text_of_the_compiler_has_its_case() {
    for text in files("stderr") {
        assert!(
            text.with_extension("rs").exists(),
            "{} is left over",
            text.display()
        );
    }
}

fn each(kind: &str, try_case: fn(&TestCases, PathBuf)) {
    let mut cases = files("rs");
    if let Some(rule) = env::var_os("HAFT_UI") {
        cases.retain(|case| case.file_stem() == Some(&rule));
        assert!(!cases.is_empty(), "no case is named {}", rule.display());
    }
    cases.retain(|case| case.parent().and_then(Path::file_name) == Some(OsStr::new(kind)));
    // Without any, trybuild would still build all that cases depend on.
    if !cases.is_empty() {
        let compiler = TestCases::new();
        cases.into_iter().for_each(|case| try_case(&compiler, case));
    }
}

/// The files of all topics and kinds, in order.
fn files(extension: &str) -> Vec<PathBuf> {
    let folders = entries(Path::new("ui")).flat_map(|topic| entries(&topic));
    let folders = folders.filter(|folder| folder.is_dir());
    let mut files: Vec<_> = folders.flat_map(|folder| entries(&folder)).collect();
    files.retain(|file| file.extension() == Some(OsStr::new(extension)));
    files.sort();
    files
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path())
}
