//! The field `tools`: functions with their schemas, and the tools that the API defines.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{API, examples, wire};
use crate::api::Api;
use crate::encoded::Form;
use crate::error::Error;
use crate::provider::body::{check_own_fields, push};
use crate::schema::Dialect;
use crate::tool::ToolDefinition;
use crate::toolkit::{Definitions, Entry, constrained};

/// What a tool that asks for `strict` is narrowed to.
pub(super) const DIALECT: Dialect = Dialect::AnthropicStrict;

/// All tools, encoded once as long as they stay the same.
pub(super) fn write_tools(list: &mut Vec<u8>, tools: &Definitions) -> Result<(), Error> {
    let form = Form {
        api: API,
        variant: 0,
    };
    tools.encoded().with(
        &form,
        || encode_tools(tools),
        |bytes| list.extend_from_slice(bytes),
    )
}

fn encode_tools(definitions: &Definitions) -> Result<Bytes, Error> {
    let (mut joined, mut is_first, mut strict) = (Vec::new(), true, Vec::new());
    for entry in definitions.sent() {
        let narrow = narrowed(entry, definitions.api());
        let encoded = tool(entry, narrow.as_ref(), definitions.api())?;
        push(&mut joined, &mut is_first, &encoded);
        strict.extend(narrow.map(|schema| judged(entry, &schema)));
    }
    // The API refuses the whole request for one of them, some limits count over all.
    Error::of_faults(&DIALECT.faults(&strict))?;
    Ok(joined.into())
}

/// The strict tools, as they are judged.
pub(super) fn strict_tools(definitions: &Definitions) -> Vec<Value> {
    let narrow = definitions
        .sent()
        .iter()
        .filter_map(|entry| Some(judged(entry, &narrowed(entry, definitions.api())?)));
    narrow.collect()
}

fn narrowed(entry: &Entry, api: &Api) -> Option<Value> {
    match entry {
        Entry::Function(definition) if definition.provided_at(api).is_none() => {
            constrained(DIALECT, definition)
        }
        Entry::Function(_) | Entry::Read(_) | Entry::Native { .. } => None,
    }
}

fn judged(entry: &Entry, schema: &Value) -> Value {
    json!({"name": entry.name(), "strict": true, "input_schema": schema})
}

/// One definition that stands by itself.
///
/// # Errors
/// Where it asks for `strict` and cannot be that.
pub(super) fn definition(definition: &ToolDefinition) -> Result<Value, Error> {
    let entry = Entry::Function(definition.clone());
    let narrow = narrowed(&entry, &API);
    let strict: Vec<_> = narrow.iter().map(|schema| judged(&entry, schema)).collect();
    Error::of_faults(&DIALECT.faults(&strict))?;
    let bytes = tool(&entry, narrow.as_ref(), &API)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let name = definition.name();
        Error::definition(format!("tool `{name}` cannot be written: {error}")).with_source(error)
    })
}

/// One tool, with its schema as it is narrowed where arguments are constrained.
fn tool(entry: &Entry, narrow: Option<&Value>, api: &Api) -> Result<Bytes, Error> {
    let definition = match entry {
        Entry::Native { json, .. } => return Ok(json.bytes().clone()),
        Entry::Function(definition) | Entry::Read(definition) => definition,
    };
    check_own_fields(definition, &["name", "input_schema"])?;
    let written = match definition.provided_at(api) {
        Some(provided) => serde_json::to_vec(&provided.form(definition)),
        None => serde_json::to_vec(&wire::OutTool {
            name: definition.name(),
            description: definition.description(),
            input_schema: narrow.unwrap_or_else(|| definition.input_schema()),
            strict: definition.strictness(),
            input_examples: examples::examples(definition),
            options: definition.options(),
        }),
    };
    written.map(Bytes::from).map_err(|error| {
        let name = definition.name();
        Error::definition(format!("tool `{name}` cannot be written: {error}")).with_source(error)
    })
}
