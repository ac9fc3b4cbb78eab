//! The field `output_config`: what replies are to be, and what the request's options say beside it.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::definitions::{DIALECT, strict_tools};
use super::{API, wire};
use crate::encoded::Form;
use crate::error::Error;
use crate::output::OutputSchema;
use crate::provider::body::write;
use crate::request::Request;
use crate::schema::InputSchema;
use crate::toolkit::Definitions;

pub(super) const FIELD: &str = "output_config";
const FORMAT: &str = "format";

/// Whether this option goes out as part of what [`config`] gives.
pub(super) fn writes(request: &Request, key: &str) -> bool {
    key == FIELD && request.output.is_some()
}

/// The value of the field; none where it is left to the options.
pub(super) fn config(request: &Request, tools: &Definitions) -> Result<Option<Vec<u8>>, Error> {
    let Some(output) = &request.output else {
        return Ok(None);
    };
    let beside = match request.options.get(FIELD) {
        Some(Value::Null) => return Ok(None),
        Some(option) => beside(option)?,
        None => Map::new(),
    };
    let form = Form {
        api: API,
        variant: 0,
    };
    let encode = || format(output, tools);
    let join = |format: &Bytes| joined(&beside, format);
    output.encoded().with(&form, encode, join).map(Some)
}

/// What the option says beside the format.
fn beside(option: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(fields) = option else {
        return Err(Error::request(format!(
            "the option `{FIELD}` must be an object, since the request's `output` is sent as a part of it; make it one, \
             or take it out"
        )));
    };
    let mut fields = fields.clone();
    match fields.shift_remove(FORMAT) {
        None | Some(Value::Null) => Ok(fields),
        Some(_) => Err(Error::request(format!(
            "the option `{FIELD}` has a `{FORMAT}`, and the request's `output` is sent there; take it out of the \
             option, or set `output` to `None`"
        ))),
    }
}

/// The format, encoded once in the life of an output.
fn format(output: &OutputSchema, tools: &Definitions) -> Result<Bytes, Error> {
    let label = format!("output `{}`", output.name());
    let own = InputSchema::faults(output.schema());
    let mut faults: Vec<_> = own
        .iter()
        .map(|fault| format!("{label} at {fault}"))
        .collect();
    let mut schema = output.schema().clone();
    DIALECT.narrow(&mut schema);
    faults.append(&mut DIALECT.output_faults(&label, &schema, &strict_tools(tools)));
    Error::of_faults(&faults)?;
    let format = wire::OutFormat::JsonSchema { schema: &schema };
    let mut bytes = Vec::new();
    write(&mut bytes, &format);
    Ok(bytes.into())
}

/// An object with the options' fields and the format.
fn joined(beside: &Map<String, Value>, format: &[u8]) -> Vec<u8> {
    let mut object = vec![b'{'];
    for (key, value) in beside {
        write(&mut object, key);
        object.push(b':');
        write(&mut object, value);
        object.push(b',');
    }
    write(&mut object, &FORMAT);
    object.push(b':');
    object.extend_from_slice(format);
    object.push(b'}');
    object
}
