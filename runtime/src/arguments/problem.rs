//! What is wrong with the model's arguments, in words that let it mend them.

use super::place::{around, is_too_deep, place};
use crate::error::short;
use crate::nearest::nearest;
use crate::tool::ToolError;

/// How many problems a model is told: it mends the first ones first.
const TOLD: usize = 20;
/// How much of a key it is told, and of a problem.
const KEY: usize = 64;
const PROBLEM: usize = 300;

/// The problems of one call, in the order of the schema.
#[derive(Debug, Default)]
pub struct Problems {
    told: Vec<String>,
    /// How many there are beyond these.
    more: usize,
    /// Whether the look ended before its end, so that nothing is known to be right.
    is_cut: bool,
}

impl Problems {
    /// One more, at this place.
    pub(super) fn add(&mut self, path: &str, words: impl AsRef<str>) {
        self.add_with(path, || words.as_ref().to_owned());
    }

    /// The same with words that are only looked for if they are told.
    pub(super) fn add_with(&mut self, path: &str, words: impl FnOnce() -> String) {
        if self.told.len() >= TOLD {
            self.more += 1;
            return;
        }
        let words = short(&words(), PROBLEM);
        self.told.push(match path {
            "" => words,
            path => format!("{path}: {words}"),
        });
    }

    /// Several of one place.
    pub(super) fn add_all(&mut self, path: &str, words: Vec<String>) {
        for words in words {
            self.add(path, words);
        }
    }

    /// Why the look ended before its end. This is said alone: what was found so far may be of a trial.
    pub(super) fn cut(&mut self, words: &str) {
        *self = Self {
            told: vec![words.to_owned()],
            more: 0,
            is_cut: true,
        };
    }

    /// Those of another look.
    pub(super) fn append(&mut self, other: Self) {
        self.told.extend(other.told);
        self.more += other.more + self.told.len().saturating_sub(TOLD);
        self.told.truncate(TOLD);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    pub(super) fn count(&self) -> usize {
        self.told.len() + self.more
    }

    /// Whether one of them is about this argument.
    pub(super) fn concern(&self, key: &str) -> bool {
        self.more > 0 || self.is_cut || self.told.iter().any(|told| is_about(told, key))
    }

    pub(super) fn into_error(mut self) -> ToolError {
        if self.more > 0 {
            self.told.push(format!("and {} more", self.more));
        }
        ToolError::invalid_input(self.told.join("\n"))
    }
}

/// Whether a problem stands at a key, or inside of its value.
fn is_about(told: &str, key: &str) -> bool {
    let rest = told.strip_prefix(&step("", key));
    rest.is_some_and(|rest| rest.starts_with([':', '.', '[']))
}

/// A place one key further.
pub(super) fn step(path: &str, key: &str) -> String {
    let key = match key {
        "" => "\"\"".to_owned(),
        key => short(key, KEY),
    };
    match path {
        "" => key,
        path => format!("{path}.{key}"),
    }
}

/// What is said of a key that is not among the known ones.
pub(super) fn unknown_key<'a>(key: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let key = short(key, KEY);
    match nearest(&key, known.clone()) {
        Some(meant) => format!("unknown key; did you mean `{meant}`?"),
        None => match known.collect::<Vec<_>>().as_slice() {
            [] => "unknown key; there are none here".to_owned(),
            [only] => format!("unknown key; the only key is {only}"),
            keys => format!("unknown key; the keys are {}", keys.join(", ")),
        },
    }
}

/// serde's words, without the position in a text that the model does not see as lines.
///
/// ```text
/// invalid value: integer `300`, expected u8 at line 1 column 12
/// expected an integer from 0 to 255, got the number 300
/// ```
pub(super) fn words(error: &serde_json::Error) -> String {
    let full = error.to_string();
    if is_too_deep(error) {
        return "nested deeper than 128 levels".to_owned();
    }
    let text = if error.line() == 0 {
        &full
    } else {
        full.rsplit_once(" at line ")
            .map_or(&*full, |(text, _)| text)
    };
    match text.split_once(": ").zip(text.rsplit_once(", expected ")) {
        Some(((what, _), (got, expected))) if what.starts_with("invalid ") => {
            let got = got.split_once(": ").map_or(got, |(_, got)| got);
            format!("expected {}, got {}", in_words(expected), came(got))
        }
        _ => text.to_owned(),
    }
}

/// What came, as the walk along a schema says it.
fn came(got: &str) -> String {
    let number = got
        .strip_prefix("integer `")
        .or_else(|| got.strip_prefix("floating point `"));
    match number {
        Some(number) => format!("the number {}", number.trim_end_matches('`')),
        None if got.starts_with("string ") => format!("the {got}"),
        None => got.to_owned(),
    }
}

/// What a Rust type holds, for a model that is told of numbers only.
fn in_words(expected: &str) -> String {
    let range = match expected {
        "i8" => (i8::MIN.to_string(), i8::MAX.to_string()),
        "i16" => (i16::MIN.to_string(), i16::MAX.to_string()),
        "i32" => (i32::MIN.to_string(), i32::MAX.to_string()),
        "i64" | "isize" => (i64::MIN.to_string(), i64::MAX.to_string()),
        "u8" => ("0".to_owned(), u8::MAX.to_string()),
        "u16" => ("0".to_owned(), u16::MAX.to_string()),
        "u32" => ("0".to_owned(), u32::MAX.to_string()),
        "u64" | "usize" => ("0".to_owned(), u64::MAX.to_string()),
        "f32" | "f64" => return "a number".to_owned(),
        other => return other.to_owned(),
    };
    format!("an integer from {} to {}", range.0, range.1)
}

/// A problem of arguments that are read as one.
pub(super) fn of_whole(error: &serde_json::Error) -> String {
    short(&words(error), PROBLEM)
}

/// What serde says of a text, with the path: where it is no JSON, with the place, too.
///
/// ```text
/// {"days": 3, "cities": ["Tokyo",]}
/// cities[1]: not JSON: trailing comma, near `{"days": 3, "cities": ["Tokyo",]}`
/// ```
pub(super) fn misread(text: &str, error: &serde_json::Error) -> ToolError {
    let words = if error.is_data() || is_too_deep(error) {
        of_whole(error)
    } else {
        let near = short(around(text, error), usize::MAX);
        format!("not JSON: {}, near `{near}`", words(error))
    };
    let mut problems = Problems::default();
    problems.add(place(text, error).trim_start_matches('.'), words);
    problems.into_error()
}
