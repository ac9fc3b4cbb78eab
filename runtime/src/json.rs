//! [`RawJson`]: JSON text that is kept as it came, and shared instead of copied.

use std::fmt;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One JSON value as text, exactly as a server or a model wrote it: big integers, key order and spelling are kept.
///
/// Cloning is cheap. A value that was cut out of a reply shares the reply's memory.
///
/// It is serde data for JSON: what stands in the text is written and read as it is. That needs a format that keeps
/// text, which `serde_json::Value` does not (it knows no integers beyond 64 bits, and each key once), nor does serde
/// within `untagged`, `flatten` and `tag`, where reading fails.
///
/// ```
/// use haft::RawJson;
///
/// let input = RawJson::parse(r#"{"id": 12345678901234567890123}"#)?;
/// assert_eq!(input.as_str(), r#"{"id": 12345678901234567890123}"#);
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawJson {
    text: Bytes,
    /// Looked at once, since a call's arguments are run and encoded later; see [`is_json`](Self::is_json).
    is_json: bool,
}

impl RawJson {
    /// Takes text that is one JSON value.
    ///
    /// # Errors
    /// Where the text is not JSON.
    pub fn parse(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        let raw = RawValue::from_string(text.into())?;
        Ok(Self::from_raw(raw))
    }

    /// The text of a value.
    #[must_use]
    pub fn from_value(value: &Value) -> Self {
        Self::from_trusted(Bytes::from(value.to_string()))
    }

    /// The empty object, `{}`.
    #[must_use]
    pub const fn empty_object() -> Self {
        Self::from_trusted(Bytes::from_static(b"{}"))
    }

    /// `null`.
    pub(crate) const fn null() -> Self {
        Self::from_trusted(Bytes::from_static(b"null"))
    }

    /// Text that a model wrote where JSON was asked for.
    pub(crate) fn from_text(text: String) -> Self {
        Self {
            is_json: serde_json::from_str::<&RawValue>(&text).is_ok(),
            text: Bytes::from(text),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Always UTF-8: every constructor takes a `str` or serde_json's own output.
        str::from_utf8(&self.text).unwrap_or_default()
    }

    /// Reads the text as a value of a type.
    ///
    /// # Errors
    /// Where the JSON is not one of that type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.text)
    }

    /// The value that the text stands for. Numbers that do not fit 64 bits lose digits here, and
    /// what is nested deeper than 128 levels is null; [`as_str`](Self::as_str) has them.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.decode().unwrap_or_default()
    }

    /// Whether this is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.is_json && self.text.trim_ascii_start().starts_with(b"{")
    }

    /// Whether the text is JSON. Only the [input](crate::ToolCall::input) of a call may not be, where the model made a
    /// slip; see [`ToolCall::from_text`](crate::ToolCall::from_text).
    #[must_use]
    pub const fn is_json(&self) -> bool {
        self.is_json
    }

    pub(crate) fn from_raw(raw: Box<RawValue>) -> Self {
        Self::from_trusted(Bytes::from(Box::<str>::from(raw).into_string()))
    }

    /// For text that was put together from JSON values, which is JSON again.
    pub(crate) const fn from_trusted(text: Bytes) -> Self {
        Self {
            text,
            is_json: true,
        }
    }

    /// `raw` as a part of `body`, which it was read from and borrows.
    pub(crate) fn part_of(body: &Bytes, raw: &RawValue) -> Self {
        Self::from_trusted(body.slice_ref(raw.get().as_bytes()))
    }

    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.text
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Equal as JSON: white space, the order of keys and the spelling of a string do not count. (What
/// is nested deeper than 128 levels is compared as text.)
impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        let values = || {
            self.decode::<Value>()
                .ok()
                .zip(other.decode::<Value>().ok())
        };
        self.text == other.text || values().is_some_and(|(own, other)| own == other)
    }
}

impl From<Value> for RawJson {
    fn from(value: Value) -> Self {
        Self::from_value(&value)
    }
}

/// Text that is no JSON is written as a string.
impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_json {
            return serializer.serialize_str(self.as_str());
        }
        match serde_json::from_str::<&RawValue>(self.as_str()) {
            Ok(raw) => raw.serialize(serializer),
            Err(error) => Err(serde::ser::Error::custom(error)),
        }
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from_raw)
    }
}

/// Reads a field that is there: `null` is its value then, and not its absence.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// The same of a value that may be nested as deep as one that stands alone. (One that is deeper is null, which is
/// better than that all around it cannot be read.)
pub(crate) fn present_value<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: From<Value>,
    D: Deserializer<'de>,
{
    let raw = RawJson::deserialize(deserializer)?;
    Ok(Some(T::from(raw.to_value())))
}

/// The value of an option of `#[tool]`, which the macro has written.
#[must_use]
pub fn json(text: &'static str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_json_is_kept_and_is_no_value() {
        for text in [r#"{"a":1,}"#, "", "{", r#"{"a":1} x"#, "nul"] {
            let raw = RawJson::from_text(text.to_owned());
            assert_eq!(raw.as_str(), text);
            assert!(!raw.is_json() && !raw.is_object(), "{text}");
            assert!(raw.to_value().is_null());
            assert_eq!(serde_json::to_value(&raw).unwrap(), Value::from(text));
        }
    }

    #[test]
    fn what_is_json_is_told_from_its_text() {
        for text in ["[1]", "null", "3", r#""{}""#] {
            let raw = RawJson::from_text(text.to_owned());
            assert!(raw.is_json() && !raw.is_object(), "{text}");
        }
        let object = RawJson::from_text(r#" {"a":[]} "#.to_owned());
        assert!(object.is_object() && object == RawJson::parse(r#"{"a":[]}"#).unwrap());
    }
}
