//! [`History`]: what files were before they were edited, as far as it is worth its memory.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::files::FilePath;

/// How many edits can be taken back, of all files together.
const MAX_EDITS: usize = 100;

/// How many bytes the older texts may have, of all files together.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What files were before each of the last edits. The oldest are forgotten.
#[derive(Debug, Default)]
pub(crate) struct History {
    edits: VecDeque<Edit>,
    bytes: usize,
}

/// One edit of a file.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    path: FilePath,
    pub(crate) before: String,
    /// Of what it made of the file, to know whether the file is still that.
    after: u64,
}

impl Edit {
    pub(crate) fn new(path: &FilePath, before: String, after: &str) -> Self {
        Self {
            path: path.clone(),
            before,
            after: hash(after),
        }
    }

    /// Whether it is the last change of a file that is now so.
    pub(crate) fn made(&self, text: &str) -> bool {
        self.after == hash(text)
    }
}

impl History {
    pub(crate) fn push(&mut self, edit: Edit) {
        if edit.before.len() > MAX_BYTES {
            // It would push out those of all other files. Older ones of its own cannot be taken back before it.
            while self.pop(&edit.path).is_some() {}
            return;
        }
        self.bytes += edit.before.len();
        self.edits.push_back(edit);
        while self.edits.len() > MAX_EDITS || self.bytes > MAX_BYTES {
            let Some(oldest) = self.edits.pop_front() else {
                break;
            };
            self.bytes -= oldest.before.len();
        }
    }

    /// The last edit of a file.
    pub(crate) fn last(&self, path: &FilePath) -> Option<&Edit> {
        self.edits.iter().rev().find(|edit| edit.path == *path)
    }

    /// The last edit of a file, which is forgotten by that.
    pub(crate) fn pop(&mut self, path: &FilePath) -> Option<Edit> {
        let last = self.edits.iter().rposition(|edit| edit.path == *path)?;
        let edit = self.edits.remove(last)?;
        self.bytes -= edit.before.len();
        Some(edit)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::new(text).unwrap()
    }

    fn push(history: &mut History, of: &str, before: &str) {
        history.push(Edit::new(&path(of), before.to_owned(), "after"));
    }

    fn pop(history: &mut History, of: &str) -> Option<String> {
        history.pop(&path(of)).map(|edit| edit.before)
    }

    #[test]
    fn the_last_edit_of_a_file_comes_first() {
        let mut history = History::default();
        push(&mut history, "a", "1");
        push(&mut history, "b", "2");
        push(&mut history, "a", "3");
        assert_eq!(pop(&mut history, "a").as_deref(), Some("3"));
        assert_eq!(pop(&mut history, "a").as_deref(), Some("1"));
        assert_eq!(pop(&mut history, "a"), None);
        assert_eq!(pop(&mut history, "b").as_deref(), Some("2"));
        assert_eq!(history.bytes, 0);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut history = History::default();
        for n in 0..=MAX_EDITS {
            push(&mut history, &n.to_string(), "x");
        }
        assert_eq!((history.edits.len(), history.bytes), (MAX_EDITS, MAX_EDITS));
        assert_eq!(pop(&mut history, "0"), None);

        push(&mut history, "large", &"x".repeat(MAX_BYTES));
        assert_eq!((history.edits.len(), history.bytes), (1, MAX_BYTES));
    }

    #[test]
    fn one_that_is_too_large_pushes_out_only_those_of_its_file() {
        let mut history = History::default();
        push(&mut history, "a", "1");
        push(&mut history, "large", "2");
        push(&mut history, "large", &"x".repeat(MAX_BYTES + 1));
        assert_eq!(pop(&mut history, "large"), None);
        assert_eq!(pop(&mut history, "a").as_deref(), Some("1"));
    }

    #[test]
    fn an_edit_knows_what_it_made() {
        let edit = Edit::new(&path("a"), "old".to_owned(), "new");
        assert!(edit.made("new") && !edit.made("newer"));
    }
}
