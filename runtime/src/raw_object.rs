//! [`RawObject`]: a JSON object of which fields are set, while the others keep their order and spelling.

use std::fmt;

use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::RawJson;

/// The fields of an object, in order. Their values are parts of the text that they were read from.
#[derive(Debug, Default)]
pub(crate) struct RawObject(Vec<(String, RawJson)>);

impl RawObject {
    /// Takes an object apart.
    ///
    /// # Errors
    /// Where it is none.
    pub(crate) fn parse(json: &RawJson) -> Result<Self, serde_json::Error> {
        let body = json.bytes();
        let Fields(fields) = serde_json::from_slice(body)?;
        let part = |(key, raw)| (key, RawJson::part_of(body, raw));
        Ok(Self(fields.into_iter().map(part).collect()))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&RawJson> {
        self.0
            .iter()
            .find(|(own, _)| own == key)
            .map(|(_, value)| value)
    }

    /// The fields, in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The fields, each by itself.
    pub(crate) fn into_fields(self) -> impl Iterator<Item = (String, RawJson)> {
        self.0.into_iter()
    }

    /// Keeps the fields that say something: not null.
    pub(crate) fn retain_said(&mut self) {
        self.0.retain(|(_, value)| value.as_str() != "null");
    }

    /// Keeps the fields of these names.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| is_kept(key));
    }

    /// Takes a field out.
    pub(crate) fn take(&mut self, key: &str) -> Option<RawJson> {
        let at = self.0.iter().position(|(own, _)| own == key)?;
        Some(self.0.remove(at).1)
    }

    /// Sets a field: where it stands, else behind all others.
    pub(crate) fn set(&mut self, key: &str, value: RawJson) {
        match self.0.iter_mut().find(|(own, _)| own == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Sets each field of another object. One that is null there only fills a gap.
    pub(crate) fn update(&mut self, newer: Self) {
        for (key, value) in newer.0 {
            if value.as_str() != "null" || self.get(&key).is_none() {
                self.set(&key, value);
            }
        }
    }

    /// The object as text.
    pub(crate) fn compose(&self) -> RawJson {
        let length = |(key, value): &(String, RawJson)| key.len() + value.as_str().len() + 4;
        let mut text = String::with_capacity(self.0.iter().map(length).sum::<usize>() + 2);
        text.push('{');
        for (at, (key, value)) in self.0.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(string(key).as_str());
            text.push(':');
            text.push_str(value.as_str());
        }
        text.push('}');
        RawJson::from_trusted(Bytes::from(text))
    }
}

/// Text as a JSON string.
pub(crate) fn string(text: &str) -> RawJson {
    // Writing a string to memory does not fail.
    let written = serde_json::to_vec(text).unwrap_or_default();
    RawJson::from_trusted(Bytes::from(written))
}

/// JSON values as a list.
pub(crate) fn list<'a>(values: impl IntoIterator<Item = &'a RawJson>) -> RawJson {
    let mut text = String::from("[");
    for value in values {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(value.as_str());
    }
    text.push(']');
    RawJson::from_trusted(Bytes::from(text))
}

/// Fields as serde finds them in a text.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> RawObject {
        RawObject::parse(&RawJson::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn what_is_not_set_keeps_order_and_spelling() {
        let mut fields = object(r#"{"z": 123456789012345678901234567890, "a":{"x" :1.0},"k":[]}"#);
        fields.set("a", RawJson::null());
        fields.set("new \"key\"", RawJson::empty_object());
        assert_eq!(
            fields.compose().as_str(),
            r#"{"z":123456789012345678901234567890,"a":null,"k":[],"new \"key\"":{}}"#
        );
    }

    #[test]
    fn a_null_only_fills_a_gap() {
        let mut fields = object(r#"{"a":1,"b":null}"#);
        fields.update(object(r#"{"a":null,"b":0,"c":null}"#));
        assert_eq!(fields.compose().as_str(), r#"{"a":1,"b":0,"c":null}"#);
    }

    #[test]
    fn fields_are_read_and_taken() {
        let mut fields = object(r#"{"a":1,"b":2}"#);
        assert_eq!(fields.get("b").unwrap().as_str(), "2");
        assert_eq!(fields.take("a").unwrap().as_str(), "1");
        assert!(fields.take("a").is_none());
        assert_eq!(fields.compose().as_str(), r#"{"b":2}"#);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["[]", "1", "\"{}\"", "null"] {
            RawObject::parse(&RawJson::parse(text).unwrap()).unwrap_err();
        }
    }

    #[test]
    fn lists_are_joined() {
        assert_eq!(list([]).as_str(), "[]");
        assert_eq!(
            list(&[string("a\n"), RawJson::null()]).as_str(),
            r#"["a\n",null]"#
        );
    }
}
