//! From schemars' output to the neutral schema: what models read well and every provider accepts.
//!
//! Every rewrite is made at a schema's place, never by a keyword's name alone, so that a property called `format` or
//! `properties` is safe.

use serde_json::{Map, Value, json};

/// Keywords whose value is one schema.
const ONE: &[&str] = &[
    "items",
    "additionalProperties",
    "not",
    "contains",
    "propertyNames",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of schemas.
const LIST: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords whose value is a map from names to schemas.
const MAP: &[&str] = &[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// The formats that name Rust's types and no format of JSON Schema, whose validators know none of them. The types' bounds
/// stand in the schema beside them; what is no address, the type refuses.
const RUST_FORMATS: &[&str] = &[
    "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8", "uint16", "uint32",
    "uint64", "uint128", "float", "double", "ip",
];

/// Our own marks in a schema, for what schemars cannot tell. They are taken off.
pub(super) const MARK: &str = "x-haft";
/// The mark of a schema whose null stays, though its key may be left out.
pub(super) const KEEPS_NULL: &str = "keeps-null";

/// The schemas directly below a node, with the last steps of their paths.
pub(super) fn children(node: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    node.iter().flat_map(|(keyword, value)| match value {
        // A boolean is as good as a schema here, but nothing stands below it.
        Value::Bool(_) => Vec::new(),
        _ if ONE.contains(&keyword.as_str()) => vec![(keyword.clone(), value)],
        Value::Array(list) if LIST.contains(&keyword.as_str()) => list
            .iter()
            .enumerate()
            .map(|(at, child)| (format!("{keyword}[{at}]"), child))
            .collect(),
        Value::Object(map) if MAP.contains(&keyword.as_str()) => map
            .iter()
            .map(|(name, child)| (format!("{keyword}.{name}"), child))
            .collect(),
        _ => Vec::new(),
    })
}

/// The schemas directly below a node, each with the keyword that it stands under.
pub(super) fn children_mut(
    node: &mut Map<String, Value>,
) -> impl Iterator<Item = (&str, &mut Value)> {
    node.iter_mut().flat_map(|(keyword, value)| {
        let below: Vec<&mut Value> = match value {
            // `additionalProperties: false` is the one boolean that stays: it closes an object.
            Value::Bool(false) => Vec::new(),
            _ if ONE.contains(&keyword.as_str()) => vec![value],
            Value::Array(list) if LIST.contains(&keyword.as_str()) => list.iter_mut().collect(),
            Value::Object(map) if MAP.contains(&keyword.as_str()) => map.values_mut().collect(),
            _ => Vec::new(),
        };
        below.into_iter().map(|child| (keyword.as_str(), child))
    })
}

/// Rewrites a generated schema.
pub(super) fn normalize(schema: &mut Value) {
    // `true` is what fits anything, and `false` what nothing fits; providers take neither.
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({"not": {}}),
        _ => {}
    }
    let Value::Object(node) = schema else { return };
    strip(node);
    // Before the properties are looked at, so that an optional enum is seen as the enum that it is.
    omit_optional(node);
    for (_, child) in children_mut(node) {
        normalize(child);
    }
    flatten_enum(node);
}

/// Takes off what says nothing to a model: titles, dialects, Rust's formats, our own marks.
fn strip(node: &mut Map<String, Value>) {
    for keyword in ["$schema", "title", MARK] {
        node.shift_remove(keyword);
    }
    let is_rust = |format: &str| RUST_FORMATS.contains(&format);
    if node
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(is_rust)
    {
        node.shift_remove("format");
    }
}

/// Makes one flat `enum` of what schemars gives for an enum with documented variants, and `anyOf` of other unions.
///
/// ```text
/// {"oneOf": [{"type": "string", "const": "fast", "description": "Quick."}, {"type": "string", "enum": ["slow"]}]}
/// {"type": "string", "enum": ["fast", "slow"], "description": "- `fast`: Quick."}
/// ```
fn flatten_enum(node: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = node.get("oneOf") else {
        return;
    };
    match variants
        .iter()
        .map(unit_variants)
        .collect::<Option<Vec<_>>>()
    {
        Some(units) if !units.is_empty() => {
            let units: Vec<_> = units.into_iter().flatten().collect();
            describe_variants(node, &units);
            let values = units.into_iter().map(|(value, _)| value).collect();
            node.shift_remove("oneOf");
            node.insert("type".to_owned(), "string".into());
            node.insert("enum".to_owned(), Value::Array(values));
        }
        _ => {
            if let Some(variants) = node.shift_remove("oneOf") {
                add_union(node, variants);
            }
        }
    }
}

/// A union beside another, as two flattened enums make them, holds as well as that.
///
/// ```text
/// {"anyOf": [A, B], "oneOf": [C, D]}
/// {"allOf": [{"anyOf": [A, B]}, {"anyOf": [C, D]}]}
/// ```
fn add_union(node: &mut Map<String, Value>, variants: Value) {
    let Some(own) = node.shift_remove("anyOf") else {
        node.insert("anyOf".to_owned(), variants);
        return;
    };
    let all = node.entry("allOf").or_insert_with(|| json!([]));
    if let Value::Array(all) = all {
        all.extend([own, variants].map(|branches| json!({"anyOf": branches})));
    }
}

/// The values of a `oneOf` branch that stands for unit variants, each with its text.
fn unit_variants(branch: &Value) -> Option<Vec<(Value, Option<String>)>> {
    if branch.get("type")? != "string" {
        return None;
    }
    let text = branch
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned);
    if let Some(value) = branch.get("const") {
        return Some(vec![(value.clone(), text)]);
    }
    let values = branch.get("enum")?.as_array()?;
    Some(
        values
            .iter()
            .map(|value| (value.clone(), text.clone()))
            .collect(),
    )
}

/// Moves the variants' texts into the enum's own description, one a line.
fn describe_variants(node: &mut Map<String, Value>, units: &[(Value, Option<String>)]) {
    let lines = units.iter().filter_map(|(value, text)| {
        let text = text.as_deref()?;
        Some(format!(
            "- `{}`: {text}",
            value.as_str().unwrap_or_default()
        ))
    });
    let own = node
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let text = own.into_iter().chain(lines).collect::<Vec<_>>().join("\n");
    if !text.is_empty() {
        node.insert("description".to_owned(), text.into());
    }
}

/// Takes null out of the properties that may be left out: an optional key is omitted, never nulled.
fn omit_optional(node: &mut Map<String, Value>) {
    let required: Vec<String> = match node.get("required") {
        Some(Value::Array(keys)) => keys
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = node.get_mut("properties") else {
        return;
    };
    for (key, schema) in properties {
        if !required.contains(key) {
            remove_null(schema);
        }
    }
}

/// Removes the null that `Option` adds: from type lists, enums, unions and defaults of this schema itself.
fn remove_null(schema: &mut Value) {
    let Value::Object(node) = schema else { return };
    if node.get(MARK).is_some_and(|mark| mark == KEEPS_NULL) {
        return;
    }
    if node.get("default") == Some(&Value::Null) {
        node.shift_remove("default");
    }
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(types)) = node.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            node.insert("type".to_owned(), only);
        }
    }
    remove_null_branch(node);
}

/// `{"anyOf": [X, {"type": "null"}]}` is `X`, with the texts of the outer schema before those of `X`.
fn remove_null_branch(node: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = node.get_mut("anyOf") else {
        return;
    };
    let is_null = |branch: &Value| branch.get("type").is_some_and(|kind| kind == "null");
    branches.retain(|branch| !is_null(branch));
    if branches.len() != 1 {
        return;
    }
    let Some(Value::Object(only)) = branches.pop() else {
        return;
    };
    node.shift_remove("anyOf");
    for (keyword, value) in only {
        node.entry(keyword).or_insert(value);
    }
}
