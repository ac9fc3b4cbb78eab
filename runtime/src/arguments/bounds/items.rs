//! [`Items`]: how many items a list has.

use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};

use super::{Bound, broken_by_count};
use crate::Nullable;
use crate::schema::Property;

/// Bounds of a list; `None` is no bound.
#[derive(Debug)]
pub struct Items {
    /// It has at least so many items.
    pub min: Option<usize>,
    /// It has at most so many items.
    pub max: Option<usize>,
}

impl Items {
    /// No bounds.
    pub const NONE: Self = Self {
        min: None,
        max: None,
    };

    /// At least so many items.
    #[must_use]
    pub const fn min(mut self, min: usize) -> Self {
        self.min = Some(min);
        self
    }

    /// At most so many items.
    #[must_use]
    pub const fn max(mut self, max: usize) -> Self {
        self.max = Some(max);
        self
    }

    /// What a list of so many items breaks, in words.
    pub(super) fn broken_by(&self, count: usize) -> Vec<String> {
        broken_by_count((self.min, self.max), count, ("item", "items"))
    }
}

impl Bound for Items {
    fn describe(&self, property: &mut Property) {
        property.count("minItems", self.min);
        property.count("maxItems", self.max);
    }
}

/// A type that is a list, or may be: a number of items fits it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot have a number of items",
    label = "this is no list",
    note = "`min_items` and `max_items` are for lists; `min`, `max`, `exclusive_min`, `exclusive_max` and `multiple_of` for numbers; `min_len`, `max_len` and `pattern` for text",
    note = "a type of one's own has its bounds on its fields, by `#[schemars(length(..))]`"
)]
pub trait List {
    #[doc(hidden)]
    fn items(&self) -> Option<usize>;
}

macro_rules! lists {
    ($($type:ty { $($generic:ident)* })*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic),*> List for $type {
            fn items(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )*};
}

lists! {
    Vec<T> {T}
    VecDeque<T> {T}
    LinkedList<T> {T}
    Box<[T]> {T}
    HashSet<T, S> {T S}
    BTreeSet<T> {T}
    BinaryHeap<T> {T}
}

#[diagnostic::do_not_recommend]
impl<T: List> List for Option<T> {
    fn items(&self) -> Option<usize> {
        self.as_ref().and_then(T::items)
    }
}

#[diagnostic::do_not_recommend]
impl<T: List> List for Nullable<T> {
    fn items(&self) -> Option<usize> {
        self.0.items()
    }
}
