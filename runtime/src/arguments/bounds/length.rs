//! [`Length`]: bounds of a text, and its pattern.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_lite::Regex;

use super::{Bound, broken_by_count};
use crate::Nullable;
use crate::schema::Property;

/// Bounds of a text; `None` is no bound. Lengths count code points, as JSON Schema does.
#[derive(Debug)]
pub struct Length {
    /// It has at least so many characters.
    pub min: Option<usize>,
    /// It has at most so many characters.
    pub max: Option<usize>,
    /// Some part of it matches.
    pub pattern: Option<Pattern>,
}

impl Length {
    /// No bounds.
    pub const NONE: Self = Self {
        min: None,
        max: None,
        pattern: None,
    };

    /// Only that some part matches.
    #[must_use]
    pub const fn matching(pattern: &'static str) -> Self {
        Self {
            min: None,
            max: None,
            pattern: Some(Pattern::new(pattern)),
        }
    }

    /// At least so many characters.
    #[must_use]
    pub const fn min(mut self, min: usize) -> Self {
        self.min = Some(min);
        self
    }

    /// At most so many characters.
    #[must_use]
    pub const fn max(mut self, max: usize) -> Self {
        self.max = Some(max);
        self
    }

    /// What the text breaks, in words. The text itself is not in them: it may be long, and the model knows it.
    pub(super) fn broken_by(&self, text: &str) -> Vec<String> {
        let mut broken = Vec::new();
        // Not counted without need.
        if self.min.is_some() || self.max.is_some() {
            let count = text.chars().count();
            broken = broken_by_count((self.min, self.max), count, ("character", "characters"));
        }
        if let Some(pattern) = &self.pattern
            && !pattern.is_in(text)
        {
            broken.push(format!("must match the pattern `{}`", pattern.text));
        }
        broken
    }
}

impl Bound for Length {
    fn describe(&self, property: &mut Property) {
        property.count("minLength", self.min);
        property.count("maxLength", self.max);
        let Some(pattern) = &self.pattern else { return };
        match pattern.compiled() {
            Ok(_) => property.keyword("pattern", pattern.text.into()),
            Err(error) => property.fault(
                "pattern",
                &format!(
                    "`{}` is no regular expression that can be checked here ({error}); \
                     mend it, or write it without look-around, back references and `\\p{{..}}`",
                    pattern.text
                ),
            ),
        }
    }
}

/// A regular expression, compiled when it is first needed.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Result<Regex, regex_lite::Error>>,
}

impl Pattern {
    /// Not looked at yet.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            compiled: OnceLock::new(),
        }
    }

    fn compiled(&self) -> Result<&Regex, &regex_lite::Error> {
        self.compiled.get_or_init(|| Regex::new(self.text)).as_ref()
    }

    /// One that cannot be compiled stops its toolkit before a model sees it, and a text not at all.
    fn is_in(&self, text: &str) -> bool {
        self.compiled()
            .map_or(true, |pattern| pattern.is_match(text))
    }
}

/// A type that is text, or may be: a length and a pattern fit it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot have a length or a pattern",
    label = "this is no text",
    note = "`min_len`, `max_len` and `pattern` are for text; `min`, `max`, `exclusive_min`, `exclusive_max` and `multiple_of` for numbers; `min_items` and `max_items` for lists",
    note = "a type of one's own has its bounds on its fields, by `#[schemars(length(..))]` and `#[schemars(regex(..))]`"
)]
pub trait Text {
    #[doc(hidden)]
    fn text(&self) -> Option<&str>;
}

macro_rules! texts {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Text for $type {
            fn text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

texts!(String Box<str> Cow<'_, str>);

#[diagnostic::do_not_recommend]
impl<T: Text> Text for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Text> Text for Nullable<T> {
    fn text(&self) -> Option<&str> {
        self.0.text()
    }
}
