//! [`Parameter`]: one row of a function's table of parameters, with its default, its examples and its bounds.

use std::fmt;

use super::argument::Kind;
use super::bounds::{Items, Length, List, RangeOf, Rule, Text};
use super::object::Arguments;
use super::place::place;
use super::problem::{Problems, of_whole};
use super::shown::Shown;
use crate::error::short;
use crate::schema::Property;

/// How much of a value a person is shown that declared it.
const SHOWN: usize = 100;

/// One parameter: its key, what the model is told of it, and how its type is described and read.
///
/// The type is bound where a row is made, by `parameter`, and nowhere else: so a type that does not fit gives one
/// error, at its place in the user's signature.
pub struct Parameter<T> {
    key: &'static str,
    description: &'static str,
    kind: Kind<T>,
    default: Option<Given<T, fn() -> T>>,
    examples: Option<Given<T, Push<T>>>,
    rule: Option<Rule<T>>,
}

/// What makes a value that the program wrote, and how that becomes the JSON that the model is shown.
type Given<T, Make> = (Make, fn(&T) -> Shown<T>);

/// What makes several.
type Push<T> = fn(&mut Vec<T>);

impl<T> fmt::Debug for Parameter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameter")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// A row whose numbers have bounds.
#[must_use]
pub const fn with_range<T>(mut row: Parameter<T>, range: &'static impl RangeOf<T>) -> Parameter<T> {
    row.rule = Some(Rule::range(range));
    row
}

/// A row whose text has a length or a pattern.
#[must_use]
pub const fn with_length<T: Text>(mut row: Parameter<T>, length: &'static Length) -> Parameter<T> {
    row.rule = Some(Rule::length(length));
    row
}

/// A row whose list has a number of items.
#[must_use]
pub const fn with_items<T: List>(mut row: Parameter<T>, items: &'static Items) -> Parameter<T> {
    row.rule = Some(Rule::items(items));
    row
}

/// What the program gives a row, in which `T` is bound already: these have no bound of their own, so that a bad type
/// stays one error.
impl<T> Parameter<T> {
    pub(super) const fn new(key: &'static str, description: &'static str, kind: Kind<T>) -> Self {
        Self {
            key,
            description,
            kind,
            default: None,
            examples: None,
            rule: None,
        }
    }

    /// With the value of a key that is left out.
    #[must_use]
    pub const fn with_default(mut self, default: fn() -> T, show: fn(&T) -> Shown<T>) -> Self {
        self.default = Some((default, show));
        self
    }

    /// With examples for the model.
    #[must_use]
    pub const fn with_examples(
        mut self,
        examples: fn(&mut Vec<T>),
        show: fn(&T) -> Shown<T>,
    ) -> Self {
        self.examples = Some((examples, show));
        self
    }

    pub(super) const fn key(&self) -> &'static str {
        self.key
    }

    /// The value that `object` has for it: as the model wrote it, or else in plain spelling.
    pub(super) fn value(&self, object: &Arguments<'_>, problems: &mut Problems) -> Option<T> {
        if object.is_faulty(self.key) {
            return None;
        }
        let (Some(text), Some(plain)) = (object.text(self.key), object.value(self.key)) else {
            return self.left_out().or_else(|| {
                problems.add(self.key, "required, but missing");
                None
            });
        };
        let read = |text: &str| (self.kind.read)(text);
        match read(text).or_else(|error| read(&plain.to_string()).map_err(|_| error)) {
            Ok(value) => {
                let broken = self.broken_by(&value);
                let keeps = broken.is_empty();
                problems.add_all(self.key, broken);
                keeps.then_some(value)
            }
            Err(error) => {
                let place = format!("{}{}", self.key, place(text, &error));
                problems.add(&place, of_whole(&error));
                None
            }
        }
    }

    /// The value at the front of `json`, and its length, if nothing is wrong with it.
    pub(super) fn value_at(&self, json: &str) -> Option<(T, usize)> {
        match (self.kind.read_at)(json) {
            Some((value, length)) => self.broken_by(&value).is_empty().then_some((value, length)),
            None => {
                let (default, _) = self.default?;
                json.starts_with("null").then(|| (default(), "null".len()))
            }
        }
    }

    /// The value of a key that is not there, where it need not be.
    pub(super) fn left_out(&self) -> Option<T> {
        match self.default {
            Some((default, _)) => Some(default()),
            None => (self.kind.absent)(),
        }
    }

    /// What the value breaks of the bounds, in words.
    fn broken_by(&self, value: &T) -> Vec<String> {
        self.rule
            .as_ref()
            .map_or_else(Vec::new, |rule| rule.broken_by(value))
    }

    pub(super) fn property(&self) -> Property {
        let mut property = Property::new(self.key, self.description, self.kind.schema);
        property.is_optional = self.default.is_some() || (self.kind.absent)().is_some();
        if let Some(rule) = &self.rule {
            rule.describe(&mut property);
        }
        if let Some((default, show)) = self.default {
            let value = default();
            match self.shown(&value, show) {
                Ok(json) => property.keyword("default", json),
                Err(fault) => property.fault("default", &fault),
            }
        }
        if let Some((examples, show)) = self.examples {
            let mut values = Vec::new();
            examples(&mut values);
            property.examples(values.iter().map(|value| self.shown(value, show)));
        }
        property
    }

    /// The JSON of a value that the program wrote, if the model could send just that.
    fn shown(&self, value: &T, show: fn(&T) -> Shown<T>) -> Result<serde_json::Value, String> {
        let json = show(value).into_json()?;
        if let Err(error) = (self.kind.read)(&json.to_string()) {
            return Err(format!(
                "is shown to the model as {}, which cannot be read back ({}); \
                 make what its type serializes what it deserializes",
                short(&json.to_string(), SHOWN),
                of_whole(&error)
            ));
        }
        match self.broken_by(value).as_slice() {
            [] => Ok(json),
            broken => Err(format!(
                "is outside the parameter's bounds ({}); change it or them",
                broken.join(", ")
            )),
        }
    }
}
