//! [`Arguments`]: the model's arguments after the walk along the schema, with the text of each as it
//! was written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::problem::Problems;
use super::walk::{Walked, walk};
use crate::schema::InputSchema;
use crate::tool::ToolError;

/// The model's arguments after the walk along the schema.
#[derive(Debug)]
pub struct Arguments<'a> {
    texts: Texts<'a>,
    walked: Walked,
}

impl<'a> Arguments<'a> {
    /// Walks along the schema.
    ///
    /// # Errors
    /// Where they are no object.
    pub(super) fn new(schema: &InputSchema, input: &'a str) -> Result<Self, ToolError> {
        let walked = walk(schema.judge(), input)?;
        // What is no object is among the problems of the walk.
        let texts = serde_json::from_str(input).unwrap_or_default();
        Ok(Self { texts, walked })
    }

    /// The text of a value, as the model wrote it.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        let mut texts = self.texts.0.iter();
        texts
            .find(|(name, _)| name == key)
            .map(|(_, json)| json.get())
    }

    /// The value, as serde reads it; none where null leaves it out.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.walked.value.get(key)
    }

    /// All of it, as the walk has left it; `None` where anything is wrong.
    pub(super) fn sound(&self) -> Option<&Value> {
        self.walked
            .problems
            .is_empty()
            .then_some(&self.walked.value)
    }

    /// Whether the walk has found something wrong with it.
    pub(super) fn is_faulty(&self, key: &str) -> bool {
        self.walked.problems.concern(key)
    }

    pub(super) fn into_problems(self) -> Problems {
        self.walked.problems
    }
}

/// What the model sent where it has no arguments: nothing, `null` and `""` are the empty object.
pub(super) fn or_empty(input: &str) -> &str {
    if are_left_out(input) { "{}" } else { input }
}

/// Whether the model sent no arguments.
pub(crate) fn are_left_out(input: &str) -> bool {
    matches!(input.trim(), "" | "null" | "\"\"")
}

/// The keys of an object, with the text of their values.
#[derive(Debug, Default)]
pub(super) struct Texts<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl Texts<'_> {
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_ref(), text.get()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TextsVisitor)
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the arguments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut texts = Vec::with_capacity(map.size_hint().unwrap_or(4));
        while let Some((Key(key), text)) = map.next_entry()? {
            texts.push((key, text));
        }
        Ok(Texts(texts))
    }
}

/// A key: borrowed, unless it is written with escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }
}
