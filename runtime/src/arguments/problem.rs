//! What is wrong with the model's arguments, in words that let it mend them.

use super::object::Object;
use crate::error::short;
use crate::nearest::nearest;
use crate::tool::ToolError;

/// How many problems a model is told: it mends the first ones first.
const TOLD: usize = 20;
/// How much of a key it is told, and of a problem.
const KEY: usize = 64;
const PROBLEM: usize = 300;

/// The problems of one call, in the order of the parameters.
#[derive(Debug, Default)]
pub struct Problems(Vec<String>);

impl Problems {
    pub(super) fn missing(&mut self, key: &str) {
        self.0.push(format!("{key}: required, but missing"));
    }

    pub(super) fn unfit(&mut self, key: &str, error: &serde_json::Error) {
        self.0
            .push(format!("{key}: {}", short(&words(error), PROBLEM)));
    }

    pub(super) fn out_of_bounds(&mut self, key: &str, broken: Vec<String>) {
        self.0
            .extend(broken.into_iter().map(|what| format!("{key}: {what}")));
    }

    /// Names the keys that no parameter has, each with the one that was probably meant.
    pub(super) fn unknown_keys(&mut self, object: &Object<'_>, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(key)) {
            // Beyond what is told, they are only counted.
            let problem = if self.0.len() < TOLD {
                unknown_key(key, known)
            } else {
                String::new()
            };
            self.0.push(problem);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_error(mut self) -> ToolError {
        let more = self.0.len().saturating_sub(TOLD);
        self.0.truncate(TOLD);
        if more > 0 {
            self.0.push(format!("and {more} more"));
        }
        ToolError::invalid_input(self.0.join("\n"))
    }
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    let key = short(key, KEY);
    match nearest(&key, known.iter().copied()) {
        Some(meant) => format!("{key}: unknown key; did you mean `{meant}`?"),
        None if known.is_empty() => format!("{key}: unknown key; the tool takes no arguments"),
        None => format!("{key}: unknown key; the keys are {}", known.join(", ")),
    }
}

/// serde's words, without the position in a text that the model does not see as lines.
///
/// ```text
/// invalid type: string "3", expected u32 at line 1 column 12
/// expected u32, got string "3"
/// ```
pub(super) fn words(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let text = if error.line() == 0 {
        &full
    } else {
        full.rsplit_once(" at line ")
            .map_or(&*full, |(text, _)| text)
    };
    match text.split_once(": ").zip(text.rsplit_once(", expected ")) {
        Some(((what, _), (got, expected))) if what.starts_with("invalid ") => {
            let got = got.split_once(": ").map_or(got, |(_, got)| got);
            format!("expected {expected}, got {got}")
        }
        _ => text.to_owned(),
    }
}

/// A problem of arguments that are read as one.
pub(super) fn of_whole(error: &serde_json::Error) -> String {
    short(&words(error), PROBLEM)
}
