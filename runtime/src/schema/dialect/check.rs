//! Wire definitions judged as they stand: names, the root of the schema, the subset of a dialect, and limits over all.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::function::Function;
use super::limits::Totals;
use super::references::{self, DEFINITIONS, Taken};
use super::{Dialect, anthropic, compose, gemini, openai};
use crate::schema::faults::for_each;
use crate::schema::normalize::children;
use crate::schema::reference::reference;
use crate::schema::{NAME_LENGTH, check};

/// Every fault of every tool: the tool, the JSON path in its schema, the reason, and what to do.
pub(super) fn faults(dialect: Dialect, definitions: &[Value]) -> Vec<String> {
    let (mut faults, mut names, mut totals) = (Vec::new(), HashSet::new(), Totals::default());
    for (at, definition) in definitions.iter().enumerate() {
        let Some(function) = Function::read(dialect, at, definition) else {
            continue;
        };
        let label = &function.label;
        let own = named(dialect, &function)
            .into_iter()
            .chain(described(&function));
        faults.extend(own.map(|fault| format!("{label}: {fault}")));
        if let Some(name) = function.name
            && !names.insert(name)
        {
            faults.push(format!(
                "{label}: another tool has this name; give one of them another"
            ));
        }
        let of_schema = of_schema(dialect, &function).into_iter();
        faults.extend(of_schema.map(|fault| placed(label, &fault)));
        if dialect == Dialect::AnthropicStrict && function.is_strict {
            totals.add(label, function.schema);
        }
    }
    faults.extend(totals.faults());
    faults
}

/// Every fault of the schema of an output, which may be of any type; and whether it is too much beside the strict
/// ones among the tools of its request.
pub(super) fn output_faults(
    dialect: Dialect,
    label: &str,
    schema: &Value,
    tools: &[Value],
) -> Vec<String> {
    let mut faults = in_subset(dialect, schema);
    if let Some(root) = schema.as_object().filter(|_| dialect.is_strict()) {
        faults.extend(is_untyped(root).then(|| any_json("$")));
        faults.extend(mixed_object(root, "$"));
    }
    let mut faults: Vec<_> = faults.iter().map(|fault| placed(label, fault)).collect();
    if dialect == Dialect::AnthropicStrict {
        let mut totals = Totals::default();
        let functions = tools.iter().enumerate();
        for function in functions.filter_map(|(at, it)| Function::read(dialect, at, it)) {
            totals.add(&function.label, function.schema);
        }
        totals.add_output(label, schema);
        faults.extend(totals.faults());
    }
    faults
}

/// A fault with whose it is.
fn placed(label: &str, fault: &str) -> String {
    match fault.strip_prefix(':') {
        Some(fault) => format!("{label}:{fault}"),
        None => format!("{label} at {fault}"),
    }
}

/// Whether the name is one that the API takes.
fn named(dialect: Dialect, function: &Function<'_>) -> Option<String> {
    let Some(name) = function.name else {
        return Some("name: Field required; give the tool a name".to_owned());
    };
    let (longest, marks, shown) = match dialect {
        Dialect::Mcp => (2 * NAME_LENGTH, "_-.", "_ - ."),
        _ => (NAME_LENGTH, "_-", "_ -"),
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
    if name.is_empty() || name.len() > longest || !name.chars().all(fits) {
        return Some(format!(
            "name: must be 1 to {longest} of the characters `A-Z a-z 0-9 {shown}`; give the tool another name"
        ));
    }
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    (dialect == Dialect::Gemini && !name.starts_with(is_letter)).then(|| {
        "name: must begin with a letter or `_` for Gemini; give the tool another name".to_owned()
    })
}

fn described(function: &Function<'_>) -> Option<String> {
    let is_wrong = function
        .description
        .is_some_and(|it| !it.is_string() && !it.is_null());
    is_wrong.then(|| "description: must be a string; make it one".to_owned())
}

/// Faults of the schema; those of the definition around it begin with a colon.
fn of_schema(dialect: Dialect, function: &Function<'_>) -> Vec<String> {
    let key = function.schema_key;
    match function.schema {
        // Functions without parameters need none there.
        None if key == "parameters" => Vec::new(),
        None => vec![format!(
            ": {key}: Field required; a tool without arguments has `{{\"type\": \"object\"}}`"
        )],
        Some(schema) => {
            let Value::Object(node) = schema else {
                return vec!["$: must be an object; write the schema as one".to_owned()];
            };
            let mut faults = root(dialect, node);
            let is_plain = dialect.is_strict() && !function.is_strict;
            let subset = if is_plain { Dialect::Plain } else { dialect };
            faults.append(&mut in_subset(subset, schema));
            faults
        }
    }
}

/// What every API wants of the root: that of an object, put together from nothing, with keys that have names.
fn root(dialect: Dialect, node: &Map<String, Value>) -> Vec<String> {
    let mut faults = Vec::new();
    match node.get("type") {
        None => {
            faults.push("$.type: Field required; the arguments of a tool are an object".to_owned())
        }
        Some(kind) if kind != "object" => faults.push(format!(
            "$.type: Input should be 'object', is {kind}; put the value under a key of an object"
        )),
        Some(_) => {}
    }
    if dialect == Dialect::Mcp {
        return faults;
    }
    let composed = compose::COMPOSITION
        .into_iter()
        .filter(|key| node.contains_key(*key));
    faults.extend(composed.map(|keyword| {
        format!(
            "$.{keyword}: must not stand at the root of a tool's schema; put the union under a key"
        )
    }));
    let keys = node.get("properties").and_then(Value::as_object);
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let bad = keys
        .into_iter()
        .flat_map(Map::keys)
        .filter(|key| key.is_empty() || key.len() > NAME_LENGTH || !key.chars().all(fits));
    faults.extend(bad.map(|key| {
        format!(
            "$.properties.{key}: must be named with 1 to {NAME_LENGTH} of the characters `A-Z a-z 0-9 _ - .`; \
             rename the key"
        )
    }));
    faults
}

/// What of a schema a dialect does not take.
pub(super) fn in_subset(dialect: Dialect, schema: &Value) -> Vec<String> {
    if let Err(fault) = check::check_nodes(schema) {
        return vec![format!("{fault}; mend the schema")];
    }
    if matches!(dialect, Dialect::Plain | Dialect::Mcp) {
        return references::faults(schema, Taken::All);
    }
    let mut faults = Vec::new();
    for_each(schema, &mut |path, node| {
        faults.append(&mut unsaid(dialect, node, path));
        faults.append(&mut untyped(node, path));
        faults.append(&mut booleans(node, path));
        if dialect.is_strict() {
            faults.extend(open_object(dialect, node, path));
            // That of a tool's root is told with the root.
            faults.extend(mixed_object(node, path).filter(|_| path != "$"));
        }
        if matches!(dialect, Dialect::OpenAiStrict | Dialect::Gemini) {
            faults.append(&mut unnamed(node, path));
        }
        if dialect == Dialect::OpenAiStrict {
            faults.append(&mut openai::unrequired(node, path));
            faults.extend(beside_reference(node, path));
        }
    });
    let mut of_references = references::faults(schema, taken(dialect));
    if dialect == Dialect::Gemini && of_references.is_empty() {
        let left = DEFINITIONS
            .into_iter()
            .filter(|key| schema.get(key).is_some());
        faults.extend(left.map(|key| format!("$.{key}: is referred to by nothing; leave it out")));
    }
    faults.append(&mut of_references);
    if dialect == Dialect::OpenAiStrict {
        faults.append(&mut openai::limits(schema));
    }
    faults
}

const fn taken(dialect: Dialect) -> Taken {
    match dialect {
        Dialect::Plain | Dialect::Mcp | Dialect::OpenAiStrict => Taken::All,
        Dialect::AnthropicStrict => Taken::NotRecursive,
        Dialect::Gemini => Taken::None,
    }
}

/// Keywords that the dialect does not have, or not with that value.
fn unsaid(dialect: Dialect, node: &Map<String, Value>, path: &str) -> Vec<String> {
    let says = match dialect {
        Dialect::AnthropicStrict => anthropic::says,
        Dialect::OpenAiStrict => openai::says,
        Dialect::Gemini => gemini::says,
        Dialect::Plain | Dialect::Mcp => |_: &str, _: &Value| true,
    };
    let unsaid = node.iter().filter(|(keyword, value)| {
        // References and what they lead to are told with the references, unions at the root there.
        let is_told = ["$ref", "$defs", "definitions"].contains(&keyword.as_str())
            || (path == "$" && compose::COMPOSITION.contains(&keyword.as_str()));
        !is_told && !says(keyword, value)
    });
    let words = dialect.words();
    unsaid
        .map(|(keyword, value)| match keyword.as_str() {
            "patternProperties" => map(path, keyword, words),
            "not" if value.as_object().is_some_and(Map::is_empty) => {
                format!("{path}: is a type that has no value; leave the key out")
            }
            _ => format!(
                "{path}.{keyword}: is not part of {words}{}; leave it out, or say it in the description",
                if is_known(keyword) { " with this value" } else { "" }
            ),
        })
        .collect()
}

/// Keywords of which a dialect has some values.
fn is_known(keyword: &str) -> bool {
    ["type", "enum", "const", "format", "pattern", "minItems"].contains(&keyword)
}

fn map(path: &str, keyword: &str, words: &str) -> String {
    format!(
        "{path}.{keyword}: a map with keys of any name is not part of {words}; \
         take a list of objects with a key and a value"
    )
}

/// Schemas below that say nothing of the type of their values. (Values of a map's keys are told with the map.)
fn untyped(node: &Map<String, Value>, path: &str) -> Vec<String> {
    let below = children(node).filter(|(step, child)| {
        step != "additionalProperties" && child.as_object().is_some_and(is_untyped)
    });
    below
        .map(|(step, _)| any_json(&format!("{path}.{step}")))
        .collect()
}

fn is_untyped(node: &Map<String, Value>) -> bool {
    let kinds = ["type", "anyOf", "oneOf", "allOf", "$ref", "const", "enum"];
    !kinds.into_iter().any(|keyword| node.contains_key(keyword))
}

fn any_json(path: &str) -> String {
    format!(
        "{path}.type: Field required; any JSON cannot be constrained, so name a type, or take JSON as text"
    )
}

/// `true` and `false` in a schema's place.
fn booleans(node: &Map<String, Value>, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |step: &str, value: Option<&Value>| {
        if value.is_some_and(Value::is_boolean) {
            found.push(format!(
                "{path}.{step}: must be a schema and not a truth value; name a type"
            ));
        }
    };
    look("items", node.get("items"));
    for (key, value) in node
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        look(&format!("properties.{key}"), Some(value));
    }
    for keyword in compose::COMPOSITION {
        let branches = node
            .get(keyword)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        for (at, branch) in branches.iter().enumerate() {
            look(&format!("{keyword}[{at}]"), Some(branch));
        }
    }
    found
}

/// Objects that take keys which nothing names.
fn open_object(dialect: Dialect, node: &Map<String, Value>, path: &str) -> Option<String> {
    if !compose::is_object(node) || node.get("additionalProperties") == Some(&Value::Bool(false)) {
        return None;
    }
    Some(
        match compose::is_map(node) && node.contains_key("additionalProperties") {
            true => map(path, "additionalProperties", dialect.words()),
            false => format!(
                "{path}.additionalProperties: must be false for an object; close it, or turn `strict` off"
            ),
        },
    )
}

/// A closed object forbids the keys that a union beside its own would bring.
fn mixed_object(node: &Map<String, Value>, path: &str) -> Option<String> {
    let has_own = node
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|it| !it.is_empty());
    let union = ["anyOf", "allOf"]
        .into_iter()
        .find(|keyword| compose::brings_objects(node, keyword))?;
    has_own.then(|| {
        format!("{path}.{union}: stands beside `properties`, whose closed object has no key of it; put it under a key")
    })
}

/// Keys that are required and are no properties.
fn unnamed(node: &Map<String, Value>, path: &str) -> Vec<String> {
    let properties = node.get("properties").and_then(Value::as_object);
    let is_named = |key: &str| properties.is_some_and(|named| named.contains_key(key));
    let required = node.get("required").and_then(Value::as_array);
    let keys = required.into_iter().flatten().filter_map(Value::as_str);
    keys.filter(|key| !is_named(key))
        .map(|key| {
            format!(
                "{path}.required: `{key}` is no key of `properties`; leave it out, or add it there"
            )
        })
        .collect()
}

/// OpenAI wants nothing beside a reference. (That of a root has the definitions there, and is told already.)
fn beside_reference(node: &Map<String, Value>, path: &str) -> Option<String> {
    let is_crowded = reference(node).is_some() && node.len() > 1 && path != "$";
    is_crowded.then(|| {
        format!("{path}.$ref: must have no keyword beside it; put the schema in its place")
    })
}
