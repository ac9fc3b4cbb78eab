//! [`Range`]: bounds of a number.

use std::fmt::Debug;

use serde::Serialize;
use serde_json::Value;

use super::Bound;
use crate::Nullable;
use crate::schema::Property;

/// Bounds of a number; `None` is no bound.
#[derive(Debug)]
pub struct Range<B> {
    /// It is at least this.
    pub min: Option<B>,
    /// It is at most this.
    pub max: Option<B>,
    /// It is more than this.
    pub exclusive_min: Option<B>,
    /// It is less than this.
    pub exclusive_max: Option<B>,
    /// It is a multiple of this.
    pub multiple_of: Option<B>,
}

impl<B> Range<B> {
    /// No bounds.
    pub const NONE: Self = Self {
        min: None,
        max: None,
        exclusive_min: None,
        exclusive_max: None,
        multiple_of: None,
    };
}

/// One bound more; see the fields.
impl<B: Copy> Range<B> {
    /// At least this.
    #[must_use]
    pub const fn min(mut self, min: B) -> Self {
        self.min = Some(min);
        self
    }

    /// At most this.
    #[must_use]
    pub const fn max(mut self, max: B) -> Self {
        self.max = Some(max);
        self
    }

    /// More than this.
    #[must_use]
    pub const fn exclusive_min(mut self, min: B) -> Self {
        self.exclusive_min = Some(min);
        self
    }

    /// Less than this.
    #[must_use]
    pub const fn exclusive_max(mut self, max: B) -> Self {
        self.exclusive_max = Some(max);
        self
    }

    /// A multiple of this.
    #[must_use]
    pub const fn multiple_of(mut self, step: B) -> Self {
        self.multiple_of = Some(step);
        self
    }
}

/// A bound, whether a number keeps it, and its words.
type Check<B> = (Option<B>, fn(B, B) -> bool, &'static str);

impl<B: Scalar> Range<B> {
    /// What the number breaks, in words.
    fn broken(&self, number: B) -> Vec<String> {
        let checks: [Check<B>; 5] = [
            (self.min, |number, min| number >= min, "at least"),
            (self.max, |number, max| number <= max, "at most"),
            (
                self.exclusive_min,
                |number, min| number > min,
                "greater than",
            ),
            (self.exclusive_max, |number, max| number < max, "less than"),
            (self.multiple_of, B::is_multiple, "a multiple of"),
        ];
        let mut broken = Vec::new();
        for (bound, keeps, words) in checks {
            if let Some(bound) = bound
                && !keeps(number, bound)
            {
                broken.push(format!(
                    "must be {words} {}, got {}",
                    text(bound),
                    text(number)
                ));
            }
        }
        broken
    }
}

impl<B: Scalar> Bound for Range<B> {
    fn describe(&self, property: &mut Property) {
        let keywords = [
            ("minimum", self.min),
            ("maximum", self.max),
            ("exclusiveMinimum", self.exclusive_min),
            ("exclusiveMaximum", self.exclusive_max),
            ("multipleOf", self.multiple_of),
        ];
        for (keyword, bound) in keywords {
            let Some(bound) = bound else { continue };
            match bound.json() {
                Some(Value::Null) => property.fault(
                    keyword,
                    &format!(
                        "is {}, which is no bound in JSON; give a finite number, or none",
                        text(bound)
                    ),
                ),
                Some(json) => property.keyword(keyword, json),
                // Beyond 64 bits: enforced all the same, but JSON's tools could not read it.
                None => {}
            }
        }
    }
}

/// A range that fits a type. The type of the range says [`Number`] already, so this says it not again: one mistake is
/// one error.
pub trait RangeOf<T>: Bound + Sized {
    #[doc(hidden)]
    fn broken_by(&self, value: &T) -> Vec<String>;
}

impl<T: Number> RangeOf<T> for Range<T::Bound> {
    fn broken_by(&self, value: &T) -> Vec<String> {
        value
            .number()
            .map_or_else(Vec::new, |number| self.broken(*number))
    }
}

/// A number for a person: whole ones without a fraction, long ones with an exponent.
fn text(number: impl Debug) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A primitive number.
pub trait Scalar: Copy + Debug + PartialOrd + Serialize + Sync + 'static {
    #[doc(hidden)]
    fn is_multiple(self, of: Self) -> bool;
    /// Null where no JSON number is it, and `None` where only longer ones are than JSON's tools read.
    #[doc(hidden)]
    fn json(self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// A type that is a number, or may be: the bounds of a number fit it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot have the bounds of a number",
    label = "this is no number",
    note = "`min`, `max`, `exclusive_min`, `exclusive_max` and `multiple_of` are for numbers; `min_len`, `max_len` and `pattern` for text; `min_items` and `max_items` for lists",
    note = "a type of one's own has its bounds on its fields, by `#[schemars(range(..))]`"
)]
pub trait Number {
    /// The type of its bounds.
    type Bound: Scalar;
    /// Nothing.
    const ZERO: Self::Bound;

    #[doc(hidden)]
    fn number(&self) -> Option<&Self::Bound>;
}

macro_rules! numbers {
    ($zero:literal: $($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Number for $type {
            type Bound = Self;
            const ZERO: Self = $zero;

            fn number(&self) -> Option<&Self> {
                Some(self)
            }
        }
    )*};
}

macro_rules! integers {
    ($($type:ty)*) => {
        numbers!(0: $($type)*);
        $(impl Scalar for $type {
            fn is_multiple(self, of: Self) -> bool {
                // Nothing is a multiple of 0; and -1, whose remainder can overflow, divides all.
                of != 0 && self.checked_rem(of).unwrap_or(0) == 0
            }
        })*
    };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
numbers!(0.0: f32 f64);

/// How far from a whole number a quotient may be, in steps of its own precision: 0.7 is a multiple of 0.1.
const STEPS: u8 = 8;

impl Scalar for f64 {
    fn is_multiple(self, of: Self) -> bool {
        let times = self / of;
        (times - times.round()).abs() <= Self::EPSILON * Self::from(STEPS) * times.abs()
    }
}

impl Scalar for f32 {
    fn is_multiple(self, of: Self) -> bool {
        let times = self / of;
        (times - times.round()).abs() <= Self::EPSILON * Self::from(STEPS) * times.abs()
    }

    /// 0.1 as it was written, and not the nearest number of twice the precision.
    fn json(self) -> Option<Value> {
        let written = format!("{self:?}").parse().unwrap_or(f64::NAN);
        serde_json::to_value(written).ok()
    }
}

macro_rules! wrappers {
    ($($wrapper:ident |$self:ident| $inner:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Number> Number for $wrapper<T> {
            type Bound = T::Bound;
            const ZERO: T::Bound = T::ZERO;

            fn number(&$self) -> Option<&T::Bound> {
                $inner.as_ref().and_then(T::number)
            }
        }
    )*};
}

wrappers! {
    Option |self| self;
    Nullable |self| self.0;
}
