//! What a parameter's values must keep beside their type: a range, a length, a number of items. Each bound is in the
//! schema, and is enforced.

mod items;
mod length;
mod range;

use std::any::Any;
use std::fmt;

pub use self::items::{Items, List};
pub use self::length::{Length, Pattern, Text};
pub use self::range::{Number, Range};
pub(super) use self::range::{RangeOf, Scalar};
use crate::schema::Property;

/// A bound of any kind, for the schema.
pub trait Bound: Any + Sync {
    /// Its keywords, and what is wrong with them.
    #[doc(hidden)]
    fn describe(&self, property: &mut Property);
}

/// A bound and the look at a value that belongs to it. The bound's own type is erased, since a row knows only `T`.
pub(super) struct Rule<T> {
    bound: &'static dyn Bound,
    broken_by: fn(&T, &'static dyn Any) -> Vec<String>,
}

impl<T> Rule<T> {
    /// What the value breaks, in words.
    pub(super) fn broken_by(&self, value: &T) -> Vec<String> {
        (self.broken_by)(value, self.bound)
    }

    pub(super) fn describe(&self, property: &mut Property) {
        self.bound.describe(property);
    }
}

impl<T> Rule<T> {
    pub(super) const fn range<R: RangeOf<T>>(range: &'static R) -> Self {
        Self {
            bound: range,
            broken_by: |value, bound| {
                bound
                    .downcast_ref::<R>()
                    .map_or_else(Vec::new, |range| range.broken_by(value))
            },
        }
    }
}

impl<T: Text> Rule<T> {
    pub(super) const fn length(length: &'static Length) -> Self {
        Self {
            bound: length,
            broken_by: |value, bound| match (value.text(), bound.downcast_ref()) {
                (Some(text), Some(length)) => Length::broken_by(length, text),
                _ => Vec::new(),
            },
        }
    }
}

impl<T: List> Rule<T> {
    pub(super) const fn items(items: &'static Items) -> Self {
        Self {
            bound: items,
            broken_by: |value, bound| match (value.items(), bound.downcast_ref()) {
                (Some(count), Some(items)) => Items::broken_by(items, count),
                _ => Vec::new(),
            },
        }
    }
}

impl<T> fmt::Debug for Rule<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").finish_non_exhaustive()
    }
}

/// What is wrong with a count, of which `one` and `many` say what was counted.
pub(super) fn broken_by_count(
    (min, max): (Option<usize>, Option<usize>),
    count: usize,
    (one, many): (&str, &str),
) -> Vec<String> {
    let counted = |bound: usize| format!("{bound} {}", if bound == 1 { one } else { many });
    let few = min
        .filter(|min| count < *min)
        .map(|min| format!("must have at least {}, got {count}", counted(min)));
    let much = max
        .filter(|max| count > *max)
        .map(|max| format!("must have at most {}, got {count}", counted(max)));
    few.into_iter().chain(much).collect()
}

#[cfg(test)]
mod tests;
