//! The field `text`: what replies are to be.

use serde_json::{Value, json};

use super::API;
use crate::error::Error;
use crate::provider::body::Body;
use crate::provider::openai::output;
use crate::provider::output_field;
use crate::request::Request;

pub(super) const FIELD: &str = "text";

/// The field, where a type is asked for; else it is left to the options.
///
/// # Errors
/// Where the API cannot be told of the type, or an option is in the way of it.
pub(super) fn write_field(body: &mut Body<'_>, request: &Request) -> Result<(), Error> {
    let Some(output) = &request.output else {
        return Ok(());
    };
    let shape = |mut schema: Value| {
        if let Value::Object(fields) = &mut schema {
            fields.insert("type".to_owned(), json!("json_schema"));
        }
        schema
    };
    let format = || output::with(output, API, shape, Clone::clone);
    if let Some(value) = output_field::value(request, FIELD, format)? {
        body.raw(FIELD, &value);
    }
    Ok(())
}
