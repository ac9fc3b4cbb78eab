//! The field of a body that has what replies are to be, in an object with what the request's options say beside it.

use serde_json::{Map, Value};

use super::body::write;
use crate::error::Error;
use crate::request::Request;

const FORMAT: &str = "format";

/// Whether the option of this name goes out as part of what [`value`] gives.
pub(super) fn writes(request: &Request, field: &str, key: &str) -> bool {
    key == field && request.output.is_some()
}

/// The value of the field: the format, which `format` gives as JSON, and what the option says beside it. None where a
/// null option keeps it out.
///
/// # Errors
/// Where the option is in the way of it, or there is no format.
pub(super) fn value(
    request: &Request,
    field: &str,
    format: impl FnOnce() -> Result<bytes::Bytes, Error>,
) -> Result<Option<Vec<u8>>, Error> {
    let beside = match request.options.get(field) {
        Some(Value::Null) => return Ok(None),
        Some(option) => beside(field, option)?,
        None => Map::new(),
    };
    let mut object = vec![b'{'];
    for (key, value) in &beside {
        write(&mut object, key);
        object.push(b':');
        write(&mut object, value);
        object.push(b',');
    }
    write(&mut object, &FORMAT);
    object.push(b':');
    object.extend_from_slice(&format()?);
    object.push(b'}');
    Ok(Some(object))
}

/// What the option says beside the format.
fn beside(field: &str, option: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(fields) = option else {
        return Err(Error::request(format!(
            "the option `{field}` must be an object, since the request's `output` is sent as a part of it; make it one, \
             or take it out"
        )));
    };
    let mut fields = fields.clone();
    match fields.shift_remove(FORMAT) {
        None | Some(Value::Null) => Ok(fields),
        Some(_) => Err(Error::request(format!(
            "the option `{field}` has a `{FORMAT}`, and the request's `output` is sent there; take it out of the \
             option, or set `output` to `None`"
        ))),
    }
}
