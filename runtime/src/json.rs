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
/// ```
/// use haft::RawJson;
///
/// let input = RawJson::parse(r#"{"id": 12345678901234567890123}"#)?;
/// assert_eq!(input.as_str(), r#"{"id": 12345678901234567890123}"#);
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawJson(Bytes);

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
        Self(Bytes::from(value.to_string()))
    }

    /// The empty object, `{}`.
    #[must_use]
    pub const fn empty_object() -> Self {
        Self(Bytes::from_static(b"{}"))
    }

    /// `null`.
    pub(crate) const fn null() -> Self {
        Self(Bytes::from_static(b"null"))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Always UTF-8: every constructor takes a `str` or serde_json's own output.
        str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Reads the text as a value of a type.
    ///
    /// # Errors
    /// Where the JSON is not one of that type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.0)
    }

    /// The value that the text stands for. Numbers that do not fit 64 bits lose digits here, and
    /// what is nested deeper than 128 levels is null; [`as_str`](Self::as_str) has them.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.decode().unwrap_or_default()
    }

    /// Whether this is an object, told by its first character.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.as_str().trim_start().starts_with('{')
    }

    pub(crate) fn from_raw(raw: Box<RawValue>) -> Self {
        Self(Bytes::from(Box::<str>::from(raw).into_string()))
    }

    /// For text that was put together from JSON values, which is JSON again.
    pub(crate) const fn from_trusted(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// `raw` as a part of `body`, which it was read from and borrows.
    pub(crate) fn part_of(body: &Bytes, raw: &RawValue) -> Self {
        Self(body.slice_ref(raw.get().as_bytes()))
    }

    pub(crate) const fn bytes(&self) -> &Bytes {
        &self.0
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
        self.0 == other.0 || values().is_some_and(|(own, other)| own == other)
    }
}

impl From<Value> for RawJson {
    fn from(value: Value) -> Self {
        Self::from_value(&value)
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
/// The value of an option of `#[tool]`, which the macro has written.
#[must_use]
pub fn json(text: &'static str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
