//! The field `output_config`: what replies are to be, and what the request's options say beside it.

use super::definitions::{DIALECT, strict_tools};
use super::{API, wire};
use crate::encoded::Form;
use crate::error::Error;
use crate::output::OutputSchema;
use crate::provider::body::write;
use crate::provider::output_field;
use crate::request::Request;
use crate::schema::InputSchema;
use crate::toolkit::Definitions;
use bytes::Bytes;

pub(super) const FIELD: &str = "output_config";

/// The value of the field; none where it is left to the options.
pub(super) fn config(request: &Request, tools: &Definitions) -> Result<Option<Vec<u8>>, Error> {
    let Some(output) = &request.output else {
        return Ok(None);
    };
    let form = Form {
        api: API,
        variant: 0,
    };
    let encode = || format(output, tools);
    let format = || output.encoded().with(&form, encode, Bytes::clone);
    output_field::value(request, FIELD, format)
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
