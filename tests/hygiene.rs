//! What an expansion means does not depend on what haft is called. (Nor on the names and traits around it: that is in
//! `ui/hygiene`.)
#![allow(
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn haft_may_be_renamed() {
    let folder = copy("renamed_dependency");
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

/// Copies a fixture to where it can be built: the sources stay as they are. It gets the workspace's lock file, so that
/// it needs nothing to be downloaded that the workspace does not need.
fn copy(fixture: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (from, to) = (
        tests.join("fixtures").join(fixture),
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(fixture),
    );
    let workspace = tests.parent().unwrap();
    let manifest = fs::read_to_string(from.join("Cargo.toml")).unwrap();
    let absolute = manifest.replace("../../..", workspace.to_str().unwrap());
    fs::create_dir_all(to.join("src")).unwrap();
    fs::write(to.join("Cargo.toml"), absolute).unwrap();
    fs::copy(from.join("src/lib.rs"), to.join("src/lib.rs")).unwrap();
    fs::copy(workspace.join("Cargo.lock"), to.join("Cargo.lock")).unwrap();
    to
}
