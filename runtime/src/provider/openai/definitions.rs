//! The functions of a request, as both APIs take them: the fields are the same, at two depths.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::provider::body::{check_own_fields, push, write};
use crate::schema::Dialect;
use crate::tool::ToolDefinition;
use crate::toolkit::{Definitions, Entry, constrained_if_possible};

/// What a function that is strict is narrowed to.
pub(super) const DIALECT: Dialect = Dialect::OpenAiStrict;

/// Options that Anthropic's API has for a tool, and chat completions do not: OpenAI refuses a request with them.
const ELSEWHERE: [&str; 5] = [
    "allowed_callers",
    "cache_control",
    "defer_loading",
    "eager_input_streaming",
    "input_examples",
];

/// Where an API wants the fields of a function, and when it is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Beside its type, and strict where it can be.
    Flat,
    /// In an object of their own, and strict where the program asks for it.
    Nested,
}

/// The fields of a function.
#[derive(Serialize)]
struct OutFunction<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    parameters: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(flatten)]
    options: Map<String, Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OutTool<'a> {
    Function {
        #[serde(skip_serializing_if = "Option::is_none")]
        function: Option<OutFunction<'a>>,
        #[serde(flatten)]
        flat: Option<OutFunction<'a>>,
    },
}

/// All tools, joined.
///
/// # Errors
/// Every fault of those that are strict.
pub(super) fn encode(definitions: &Definitions, shape: Shape) -> Result<Bytes, Error> {
    let (mut joined, mut is_first, mut strict) = (Vec::new(), true, Vec::new());
    for entry in definitions.sent() {
        let mut tool = Vec::new();
        match entry {
            Entry::Native { json, .. } => tool.extend_from_slice(json.bytes()),
            Entry::Read(definition) => {
                let schema = definition.input_schema();
                let strictness = definition.strictness();
                write_function(&mut tool, definition, schema, strictness, shape)?;
            }
            Entry::Function(definition) => match definition.provided_at(definitions.api()) {
                Some(provided) => write(&mut tool, &provided.form(definition)),
                None => {
                    let (schema, strictness) = schema(definition, shape);
                    if strictness == Some(true) {
                        strict.push(json!({
                            "type": "function", "name": entry.name(), "strict": true, "parameters": schema,
                        }));
                    }
                    write_function(&mut tool, definition, &schema, strictness, shape)?;
                }
            },
        }
        push(&mut joined, &mut is_first, &tool);
    }
    Error::of_faults(&DIALECT.faults(&strict))?;
    Ok(joined.into())
}

/// The schema that is sent, and what is said of its strictness.
fn schema(definition: &ToolDefinition, shape: Shape) -> (Value, Option<bool>) {
    if shape == Shape::Nested && definition.strictness() != Some(true) {
        return (definition.input_schema().clone(), definition.strictness());
    }
    let (schema, is_strict) = constrained_if_possible(DIALECT, definition);
    (schema, Some(is_strict))
}

fn write_function(
    tool: &mut Vec<u8>,
    definition: &ToolDefinition,
    schema: &Value,
    strict: Option<bool>,
    shape: Shape,
) -> Result<(), Error> {
    check_own_fields(definition, &["name", "type", "parameters", "function"])?;
    let mut options = definition.options().clone();
    if shape == Shape::Nested {
        options.retain(|key, _| !ELSEWHERE.contains(&key.as_str()));
    }
    // An option of that name has the last word, as with a request.
    let strict = strict.filter(|_| !options.contains_key("strict"));
    if options.get("strict").is_some_and(Value::is_null) {
        options.shift_remove("strict");
    }
    let function = OutFunction {
        name: definition.name(),
        description: definition.description(),
        parameters: schema,
        strict,
        options,
    };
    let (function, flat) = match shape {
        Shape::Nested => (Some(function), None),
        Shape::Flat => (None, Some(function)),
    };
    write(tool, &OutTool::Function { function, flat });
    Ok(())
}

/// Reads a function out of a body: the fields that `tool` has at its own depth are `fields`.
pub(super) fn read(fields: &Map<String, Value>) -> Option<Entry> {
    let mut fields = fields.clone();
    let name = fields.shift_remove("name")?.as_str()?.to_owned();
    let parameters = match fields.shift_remove("parameters") {
        None | Some(Value::Null) => return None,
        Some(parameters) => parameters,
    };
    let schema = crate::schema::InputSchema::from_value(parameters).ok()?;
    // An empty one stays an option: it went out before, so it goes out again.
    let has_words = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let description = match fields.get("description") {
        Some(words) if has_words(words) => fields.shift_remove("description"),
        _ => None,
    };
    let description = description
        .as_ref()
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut definition = ToolDefinition::from_checked(name, description.to_owned(), schema);
    if let Some(strict) = fields.get("strict").and_then(Value::as_bool) {
        fields.shift_remove("strict");
        definition = definition.strict(strict);
    }
    let options = fields.into_iter().filter(|(_, value)| !value.is_null());
    Some(Entry::Read(
        options.fold(definition, |definition, (key, value)| {
            definition.option(key, value)
        }),
    ))
}
