//! Taking the fields of a body apart that another client wrote.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Error;

pub(super) type Fields = Map<String, Value>;

/// Takes a field out that a body must have.
///
/// # Errors
/// Where it is missing, or another thing.
pub(super) fn required<T: DeserializeOwned>(fields: &mut Fields, key: &str) -> Result<T, Error> {
    let value = fields
        .shift_remove(key)
        .ok_or_else(|| Error::request(format!("the body has no `{key}`")))?;
    serde_json::from_value(value)
        .map_err(|error| Error::request(format!("`{key}` in the body: {error}")).with_source(error))
}

/// Takes a field out if `read` has a word for its value.
pub(super) fn take<T>(
    fields: &mut Fields,
    key: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Option<T> {
    let taken = read(fields.get(key)?)?;
    fields.shift_remove(key);
    Some(taken)
}
