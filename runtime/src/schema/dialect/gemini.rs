//! What Gemini's `Schema` object can say: <https://ai.google.dev/api/caching#Schema>.

use serde_json::{Map, Value, json};

use super::{compose, references, words};
use crate::schema::normalize::children_mut;

/// Formats of texts and numbers that the API knows.
const FORMATS: &[&str] = &["date-time", "enum", "float", "double", "int32", "int64"];

/// Whether a keyword may stand in a schema with that value.
pub(super) fn says(keyword: &str, value: &Value) -> bool {
    match keyword {
        "description" | "title" | "nullable" | "anyOf" | "items" | "properties" | "required"
        | "propertyOrdering" | "minimum" | "maximum" | "minItems" | "maxItems" | "minLength"
        | "maxLength" | "minProperties" | "maxProperties" | "pattern" | "default" | "example" => {
            true
        }
        "type" => value.is_string(),
        "enum" => value
            .as_array()
            .is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_string)),
        "format" => value
            .as_str()
            .is_some_and(|format| FORMATS.contains(&format)),
        _ => false,
    }
}

/// Rewrites a schema.
pub(super) fn narrow(schema: &mut Value) {
    references::inline(schema, |_| true);
    references::drop_definitions(schema);
    narrow_node(schema);
}

fn narrow_node(schema: &mut Value) {
    compose::spell_out(schema);
    let Value::Object(node) = schema else { return };
    compose::merge_all_of(node);
    compose::one_of_to_any_of(node);
    compose::tuple_to_list(node);
    compose::tell_type(node);
    const_to_enum(node);
    null_to_nullable(node);
    types_to_union(node);
    words::tell(node, |keyword, value| {
        // What has no words is a fault.
        says(keyword, value) || matches!(keyword, "$ref" | "$defs" | "definitions" | "allOf")
    });
    for (_, child) in children_mut(node) {
        narrow_node(child);
    }
}

/// `{"const": "a"}` is `{"enum": ["a"]}`; of other values the text tells.
fn const_to_enum(node: &mut Map<String, Value>) {
    if node.get("const").is_some_and(Value::is_string)
        && let Some(only) = node.shift_remove("const")
    {
        node.insert("enum".to_owned(), json!([only]));
    }
}

/// `{"type": ["string", "null"]}` is `{"type": "string", "nullable": true}`; so are enums and unions with null.
fn null_to_nullable(node: &mut Map<String, Value>) {
    let mut had_null = false;
    let mut without = |list: &mut Vec<Value>, is_null: fn(&Value) -> bool| {
        let all = list.len();
        // A list of null only is a type of its own.
        if !list.iter().all(is_null) {
            list.retain(|value| !is_null(value));
        }
        had_null |= list.len() < all;
    };
    if let Some(Value::Array(kinds)) = node.get_mut("type") {
        without(kinds, |kind| kind == "null");
    }
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        without(values, Value::is_null);
    }
    if let Some(Value::Array(branches)) = node.get_mut("anyOf") {
        without(branches, |branch| {
            branch.get("type").is_some_and(|kind| kind == "null")
        });
    }
    if had_null {
        unwrap_union(node);
        node.insert("nullable".to_owned(), true.into());
    }
}

/// What is left of a union with one branch is that branch.
fn unwrap_union(node: &mut Map<String, Value>) {
    if let Some([Value::Object(_)]) = node
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && let Some(Value::Array(branches)) = node.shift_remove("anyOf")
        && let Some(Value::Object(only)) = branches.into_iter().next()
    {
        for (keyword, value) in only {
            node.entry(keyword).or_insert(value);
        }
    }
}

/// One type of a list stands by itself; several are branches of a union.
fn types_to_union(node: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = node.get("type") else {
        return;
    };
    if let [only] = kinds.as_slice() {
        let only = only.clone();
        node.insert("type".to_owned(), only);
        return;
    }
    if node.contains_key("anyOf") {
        node.shift_remove("type");
        return;
    }
    let branches: Vec<_> = kinds.iter().map(|kind| branch(node, kind)).collect();
    let texts = ["title", "description", "nullable", "default"];
    node.retain(|keyword, _| texts.contains(&keyword.as_str()));
    node.insert("anyOf".to_owned(), Value::Array(branches));
}

/// What of a schema is for values of one type. (Keywords for other types do no harm but for these.)
fn branch(node: &Map<String, Value>, kind: &Value) -> Value {
    let mut branch = Map::from_iter([("type".to_owned(), kind.clone())]);
    let of_kind: &[&str] = match kind.as_str() {
        Some("array") => &["items", "minItems", "maxItems", "uniqueItems"],
        Some("object") => &["properties", "required", "additionalProperties"],
        Some("string") => &["enum", "format", "pattern", "minLength", "maxLength"],
        Some("integer" | "number") => &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        _ => &[],
    };
    for keyword in of_kind {
        if let Some(value) = node.get(*keyword) {
            branch.insert((*keyword).to_owned(), value.clone());
        }
    }
    Value::Object(branch)
}
