//! Schemas that are put together from others: unions, `allOf`, tuples, and the null of an optional key.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::words;

/// Keywords that put a schema together.
pub(super) const COMPOSITION: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// `true` is what fits anything, as `{}` is.
pub(super) fn spell_out(schema: &mut Value) {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
}

/// `oneOf` is `anyOf` to those who do not know it: a union's branches rarely overlap. Beside an `anyOf` it stays.
pub(super) fn one_of_to_any_of(node: &mut Map<String, Value>) {
    if !node.contains_key("anyOf")
        && let Some(branches) = node.shift_remove("oneOf")
    {
        node.insert("anyOf".to_owned(), branches);
    }
}

/// One object of an `allOf` whose schemas are all objects, and one schema of an `allOf` with one.
///
/// ```text
/// {"allOf": [{"type": "object", "properties": {"a": A}}, {"type": "object", "properties": {"b": B}}]}
/// {"type": "object", "properties": {"a": A, "b": B}}
/// ```
pub(super) fn merge_all_of(node: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = node.get("allOf") else {
        return;
    };
    let is_plain = |part: &Value| {
        part.as_object().is_some_and(|part| {
            is_object(part) && !COMPOSITION.into_iter().any(|key| part.contains_key(key))
        })
    };
    let fits = match parts.as_slice() {
        [only] => only.is_object(),
        parts => parts.iter().all(is_plain),
    };
    if !fits {
        return;
    }
    let Some(Value::Array(parts)) = node.shift_remove("allOf") else {
        return;
    };
    for part in parts {
        if let Value::Object(part) = part {
            merge(node, part);
        }
    }
}

/// Adds what a part of an `allOf` asks for.
fn merge(node: &mut Map<String, Value>, part: Map<String, Value>) {
    for (keyword, value) in part {
        match (node.get_mut(&keyword), value) {
            (Some(Value::Object(own)), Value::Object(more)) if keyword == "properties" => {
                more.into_iter()
                    .for_each(|(key, schema)| add_property(own, key, schema));
            }
            (Some(Value::Array(own)), Value::Array(more)) if keyword == "required" => {
                let new = more.into_iter().filter(|key| !own.contains(key));
                own.extend(new.collect::<Vec<_>>());
            }
            // Two bounds of one kind would have to be compared; the reading of arguments does.
            (Some(_), _) => {}
            (None, value) => {
                node.insert(keyword, value);
            }
        }
    }
}

fn add_property(properties: &mut Map<String, Value>, key: String, schema: Value) {
    match properties.get_mut(&key) {
        Some(own) if *own == schema => {}
        Some(own) => *own = json!({"allOf": [own.take(), schema]}),
        None => {
            properties.insert(key, schema);
        }
    }
}

/// A list of what may stand at any of a tuple's places, with a line that says what stands at which.
///
/// ```text
/// {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}
/// {"type": "array", "description": "Items in order: integer, string.", "items": {"anyOf": [...]}}
/// ```
pub(super) fn tuple_to_list(node: &mut Map<String, Value>) {
    let Some(Value::Array(places)) = node.shift_remove("prefixItems") else {
        return;
    };
    words::say_line(node, &words::in_order(&places));
    let mut different: Vec<Value> = Vec::new();
    let rest = node.shift_remove("items").filter(Value::is_object);
    for place in places.into_iter().chain(rest) {
        if !different.contains(&place) {
            different.push(place);
        }
    }
    let items = match different.len() {
        1 => different.pop().unwrap_or_default(),
        _ => json!({"anyOf": different}),
    };
    node.insert("items".to_owned(), items);
}

/// The keys that an object must have.
pub(super) fn required(node: &Map<String, Value>) -> HashSet<&str> {
    let keys = node.get("required").and_then(Value::as_array);
    keys.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Whether it is the schema of an object.
pub(super) fn is_object(node: &Map<String, Value>) -> bool {
    has_type(node, "object") || (node.contains_key("properties") && !node.contains_key("type"))
}

/// Whether an object is among what the keyword puts together, also in a union within.
pub(super) fn brings_objects(node: &Map<String, Value>, keyword: &str) -> bool {
    let parts = node.get(keyword).and_then(Value::as_array);
    let mut parts = parts.into_iter().flatten().filter_map(Value::as_object);
    parts.any(|part| {
        let within = |keyword| brings_objects(part, keyword);
        is_object(part) || ["anyOf", "allOf"].into_iter().any(within)
    })
}

/// Whether a value of this type may stand there.
pub(super) fn has_type(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}

/// Closes an object, where that leaves something that can be given: a map, whose keys nothing names, stays open.
pub(super) fn close(node: &mut Map<String, Value>) {
    if !is_object(node) || is_map(node) {
        return;
    }
    node.entry("type").or_insert_with(|| "object".into());
    node.entry("properties").or_insert_with(|| json!({}));
    node.insert("additionalProperties".to_owned(), false.into());
}

/// Whether keys of any name may be given, with values of a schema, or only such keys.
pub(super) fn is_map(node: &Map<String, Value>) -> bool {
    let has_names = node
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|properties| !properties.is_empty());
    let says_something = match node.get("additionalProperties") {
        None | Some(Value::Bool(false)) => false,
        Some(Value::Object(more)) if !more.is_empty() => true,
        Some(_) => !has_names,
    };
    says_something || (!has_names && node.contains_key("patternProperties"))
}

/// Lets null stand there too, for a key that cannot be left out.
pub(super) fn add_null(schema: &mut Value) {
    let Value::Object(node) = schema else { return };
    tell_type(node);
    if node.is_empty() || has_type(node, "null") {
        add_null_value(node);
        return;
    }
    let is_composed = COMPOSITION.into_iter().any(|key| node.contains_key(key));
    let is_scalar = !has_type(node, "object") && !has_type(node, "array");
    match node.get_mut("type") {
        Some(Value::String(kind)) if is_scalar && !is_composed => {
            let kinds = json!([kind, "null"]);
            node.insert("type".to_owned(), kinds);
            add_null_value(node);
        }
        Some(Value::Array(kinds)) if is_scalar && !is_composed => {
            kinds.push("null".into());
            add_null_value(node);
        }
        _ => add_null_branch(node),
    }
}

/// Null among the values, where those are listed.
fn add_null_value(node: &mut Map<String, Value>) {
    if let Some(only) = node.shift_remove("const") {
        node.insert("enum".to_owned(), json!([only]));
    }
    if let Some(Value::Array(values)) = node.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}

/// Null as a branch of a union, made where there is none. The text stays outside.
fn add_null_branch(node: &mut Map<String, Value>) {
    let absent = json!({"type": "null"});
    let only_any_of = node
        .keys()
        .all(|key| ["anyOf", "description", "title", "default"].contains(&key.as_str()));
    if let Some(Value::Array(branches)) = node.get_mut("anyOf").filter(|_| only_any_of) {
        let has_null = |branch: &Value| branch.as_object().is_some_and(|it| has_type(it, "null"));
        if !branches.iter().any(has_null) {
            branches.push(absent);
        }
        return;
    }
    let mut inner = std::mem::take(node);
    for keyword in ["title", "description", "default"] {
        if let Some(value) = inner.shift_remove(keyword) {
            node.insert(keyword.to_owned(), value);
        }
    }
    node.insert("anyOf".to_owned(), json!([inner, absent]));
}

/// The type of the values that are listed, where none is told.
pub(super) fn tell_type(node: &mut Map<String, Value>) {
    if ["type", "$ref", "anyOf"]
        .into_iter()
        .any(|key| node.contains_key(key))
    {
        return;
    }
    let listed = node.get("enum").and_then(Value::as_array);
    let only = node.get("const").into_iter();
    let mut kinds: Vec<&str> = Vec::new();
    for kind in only.chain(listed.into_iter().flatten()).map(words::type_of) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let kind = match kinds.as_slice() {
        [] => return,
        [kind] => json!(kind),
        kinds => json!(kinds),
    };
    node.insert("type".to_owned(), kind);
}
