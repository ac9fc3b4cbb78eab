//! What OpenAI's strict functions take: <https://platform.openai.com/docs/guides/structured-outputs>.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{compose, pattern, references, words};
use crate::schema::faults::for_each;
use crate::schema::normalize::{children, children_mut};

/// Formats that the API constrains a text to.
const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Of one schema: properties, levels of objects, characters of names and values, values of enums.
const PROPERTIES: usize = 5_000;
const LEVELS: usize = 10;
const CHARACTERS: usize = 120_000;
const VALUES: usize = 1_000;
/// An enum with more values than the first may have as many characters as the second.
const LONG_ENUM: (usize, usize) = (250, 15_000);

/// Whether a keyword may stand in a schema with that value.
pub(super) fn says(keyword: &str, value: &Value) -> bool {
    match keyword {
        "type" | "description" | "title" | "anyOf" | "$ref" | "$defs" | "definitions"
        | "required" | "properties" | "additionalProperties" | "items" 
        | "multipleOf" | "maximum" | "exclusiveMaximum" | "minimum" | "exclusiveMinimum"
        | "minItems" | "maxItems"
        // Other clients send these two, and are not refused.
        | "$schema" | "default" => true,
        "const" => words::is_primitive(value),
        "enum" => words::are_primitive(value),
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        "pattern" => value.as_str().is_some_and(pattern::is_simple),
        _ => false,
    }
}

/// Rewrites a schema: all keys are required, and those that were optional may be null.
pub(super) fn narrow(schema: &mut Value) {
    references::inline(schema, |node| node.len() > 1);
    narrow_node(schema);
    references::drop_definitions(schema);
}

fn narrow_node(schema: &mut Value) {
    compose::spell_out(schema);
    let Value::Object(node) = schema else { return };
    compose::merge_all_of(node);
    compose::one_of_to_any_of(node);
    references::set_apart(node);
    compose::tuple_to_list(node);
    compose::tell_type(node);
    compose::close(node);
    require_all(node);
    let is_map = compose::is_map(node);
    let adds_keys = compose::brings_objects(node, "allOf");
    words::tell(node, |keyword, value| match keyword {
        // The key is always there, so a default would never count; reading takes null for it.
        "$schema" | "default" => false,
        "patternProperties" => is_map,
        // The closed object has no key of it, so that this is a fault and not a text.
        "allOf" => adds_keys,
        _ => says(keyword, value),
    });
    for (_, child) in children_mut(node) {
        narrow_node(child);
    }
}

fn require_all(node: &mut Map<String, Value>) {
    let required = compose::required(node);
    let required: HashSet<_> = required.into_iter().map(str::to_owned).collect();
    let Some(Value::Object(properties)) = node.get_mut("properties") else {
        return;
    };
    for (key, schema) in properties.iter_mut() {
        if !required.contains(key) {
            compose::spell_out(schema);
            // A map is a fault, which is told at its own place.
            if !schema.as_object().is_some_and(compose::is_map) {
                compose::add_null(schema);
            }
        }
    }
    let all: Vec<_> = properties.keys().cloned().collect();
    node.insert("required".to_owned(), json!(all));
}

/// Properties that are not required.
pub(super) fn unrequired(node: &Map<String, Value>, path: &str) -> Vec<String> {
    let required = compose::required(node);
    let properties = node.get("properties").and_then(Value::as_object);
    let keys = properties.into_iter().flat_map(Map::keys);
    keys.filter(|key| !required.contains(key.as_str()))
        .map(|key| {
            format!(
                "{path}.required: must include every key of `properties`, `{key}` is missing; \
                 require it and let it be null"
            )
        })
        .collect()
}

/// Limits of one schema.
pub(super) fn limits(schema: &Value) -> Vec<String> {
    let (mut properties, mut characters, mut values) = (0, 0, 0);
    let mut faults = Vec::new();
    let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    for_each(schema, &mut |path, node| {
        for keyword in ["properties", "$defs", "definitions"] {
            let named = node.get(keyword).and_then(Value::as_object);
            let named = named.into_iter().flat_map(Map::keys);
            named.for_each(|name| {
                properties += usize::from(keyword == "properties");
                characters += name.chars().count();
            });
        }
        characters += node.get("const").map_or(0, length);
        let listed = node
            .get("enum")
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let listed_characters: usize = listed.iter().map(length).sum();
        values += listed.len();
        characters += listed_characters;
        if listed.len() > LONG_ENUM.0 && listed_characters > LONG_ENUM.1 {
            faults.push(format!(
                "{path}.enum: {listed_characters} characters in {} values are over the limit of {}; shorten the values",
                listed.len(),
                LONG_ENUM.1
            ));
        }
    });
    let totals = [
        ("properties", properties, PROPERTIES),
        ("levels of objects", levels(schema), LEVELS),
        ("characters of names and values", characters, CHARACTERS),
        ("enum values", values, VALUES),
    ];
    let over = totals.into_iter().filter(|(_, count, limit)| count > limit);
    faults.extend(over.map(|(what, count, limit)| {
        format!("$: too many {what} ({count}) over the limit of {limit}; make the schema smaller")
    }));
    faults
}

/// How deep objects stand within each other. References are not followed.
fn levels(schema: &Value) -> usize {
    let Value::Object(node) = schema else {
        return 0;
    };
    let below = children(node).map(|(_, child)| levels(child)).max();
    below.unwrap_or_default() + usize::from(compose::is_object(node))
}
