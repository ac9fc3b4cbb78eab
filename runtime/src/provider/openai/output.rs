//! What a reply is to be, as both APIs take it.

use bytes::Bytes;
use serde_json::{Value, json};

use super::definitions::DIALECT;
use crate::api::Api;
use crate::encoded::Form;
use crate::error::Error;
use crate::output::OutputSchema;
use crate::schema::InputSchema;

/// The schema with its name, as the fields of an object, encoded once in the life of an output.
///
/// # Errors
/// Where the API cannot be told of the type.
pub(super) fn with<T>(
    output: &OutputSchema,
    api: Api,
    shape: fn(Value) -> Value,
    look: impl FnOnce(&Bytes) -> T,
) -> Result<T, Error> {
    let form = Form { api, variant: 0 };
    let encode = || Ok(Bytes::from(shape(schema(output)?).to_string()));
    output.encoded().with(&form, encode, look)
}

fn schema(output: &OutputSchema) -> Result<Value, Error> {
    let label = format!("output `{}`", output.name());
    let own = InputSchema::faults(output.schema());
    let mut faults: Vec<_> = own
        .iter()
        .map(|fault| format!("{label} at {fault}"))
        .collect();
    let mut schema = output.schema().clone();
    DIALECT.narrow(&mut schema);
    if schema.get("type") != Some(&json!("object")) {
        faults.push(format!(
            "{label} at $: must be an object for OpenAI's APIs; put it into a field of a struct"
        ));
    }
    faults.append(&mut DIALECT.output_faults(&label, &schema, &[]));
    Error::of_faults(&faults)?;
    Ok(json!({"name": name(output), "schema": schema, "strict": true}))
}

/// The name in the characters that the APIs take.
fn name(output: &OutputSchema) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name = output.name().chars().take(64);
    name.map(|c| if fits(c) { c } else { '_' }).collect()
}
