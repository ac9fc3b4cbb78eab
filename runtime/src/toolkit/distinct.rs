//! The check of `toolkit!`, run by the compiler: no two tools of one name.
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "const evaluation: a panic is how the compiler is told"
)]

use crate::tool::NAME_LENGTH;

/// Stops the compilation where the tool at `at` has the name of an earlier one.
///
/// Asked for each tool by itself, so that the error stands at the later one.
#[track_caller]
pub const fn is_distinct(names: &[&str], at: usize) {
    let mut earlier = 0;
    while earlier < at {
        if equal(names[earlier].as_bytes(), names[at].as_bytes()) {
            duplicate(names[at]);
        }
        earlier += 1;
    }
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Says it: const evaluation formats no more than one string, so the message is put together here.
#[track_caller]
const fn duplicate(name: &str) -> ! {
    const BEFORE: &[u8] = b"two tools of this toolkit are named `";
    const AFTER: &[u8] = b"`; give one of them another name";
    let mut text = [0; BEFORE.len() + NAME_LENGTH + AFTER.len()];
    let mut length = append(&mut text, 0, BEFORE);
    length = append(&mut text, length, name.as_bytes());
    length = append(&mut text, length, AFTER);
    match str::from_utf8(text.split_at(length).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("two tools of this toolkit have the same name"),
    }
}

const fn append(to: &mut [u8], mut length: usize, bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        to[length] = bytes[at];
        length += 1;
        at += 1;
    }
    length
}
