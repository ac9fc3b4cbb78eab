//! Whether a value that a program gives as a schema is one, and that of an object.

use serde_json::{Map, Value};

use super::faults::for_each;
use super::normalize::children;
use super::reference;

/// Looks at a schema given at run time.
///
/// # Errors
/// The JSON path of the first fault and what is wrong there.
pub(super) fn check(schema: &Value) -> Result<(), String> {
    let Value::Object(root) = schema else {
        return Err(format!("$: must be an object, is {}", kind(schema)));
    };
    check_root(root)?;
    check_nodes(schema)?;
    check_references(schema)
}

/// Looks at a schema of whatever type.
///
/// # Errors
/// As [`check`].
pub(super) fn check_nodes(schema: &Value) -> Result<(), String> {
    check_node(schema, "$")
}

fn check_root(root: &Map<String, Value>) -> Result<(), String> {
    match root.get("type") {
        Some(Value::String(kind)) if kind == "object" => Ok(()),
        Some(other) => Err(format!("$.type: must be \"object\", is {other}")),
        None => Err("$.type: must be \"object\", is missing".to_owned()),
    }
}

fn check_node(schema: &Value, path: &str) -> Result<(), String> {
    let node = match schema {
        Value::Object(node) => node,
        Value::Bool(_) => return Ok(()),
        other => return Err(format!("{path}: must be a schema, is {}", kind(other))),
    };
    check_shapes(node, path)?;
    check_types(node, path)?;
    let mut children = children(node);
    children.try_for_each(|(step, child)| check_node(child, &format!("{path}.{step}")))
}

/// A type that JSON does not have is a slip, and fits nothing.
fn check_types(node: &Map<String, Value>, path: &str) -> Result<(), String> {
    let types = match node.get("type") {
        Some(Value::Array(types)) => types.as_slice(),
        Some(only) => std::slice::from_ref(only),
        None => &[],
    };
    let is_unknown = |name: &&Value| !name.as_str().is_some_and(|name| TYPES.contains(&name));
    match types.iter().find(is_unknown) {
        Some(unknown) => Err(format!(
            "{path}.type: must be of {}, is {unknown}",
            TYPES.join(", ")
        )),
        None => Ok(()),
    }
}

/// The first reference that leads nowhere. (Dialects tell of all, beside their other faults.)
fn check_references(schema: &Value) -> Result<(), String> {
    let mut first = None;
    for_each(schema, &mut |path, node| {
        first = first
            .take()
            .or_else(|| reference::unresolved(schema, node, path));
    });
    first.map_or(Ok(()), Err)
}

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords whose value has one shape, so that a slip in them is told here and not by a provider.
fn check_shapes(node: &Map<String, Value>, path: &str) -> Result<(), String> {
    for (keyword, shape, fits) in SHAPES {
        if let Some(value) = node.get(*keyword)
            && !fits(value)
        {
            return Err(format!(
                "{path}.{keyword}: must be {shape}, is {}",
                kind(value)
            ));
        }
    }
    Ok(())
}

type Shape = (&'static str, &'static str, fn(&Value) -> bool);

const SHAPES: &[Shape] = &[
    ("properties", "an object", Value::is_object),
    ("$defs", "an object", Value::is_object),
    ("required", "an array of strings", is_strings),
    ("enum", "an array", Value::is_array),
    ("anyOf", "an array", Value::is_array),
    ("oneOf", "an array", Value::is_array),
    ("allOf", "an array", Value::is_array),
    ("description", "a string", Value::is_string),
    ("type", "a string or an array of strings", |value| {
        value.is_string() || is_strings(value)
    }),
];

fn is_strings(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(Value::is_string))
}

/// What a value is, with its article.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
