//! What Anthropic's strict tools take: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>.

use serde_json::{Map, Value};

use super::{compose, pattern, references, words};
use crate::schema::normalize::children_mut;

/// Formats that the API constrains a text to.
const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Whether a keyword may stand in a schema with that value.
pub(super) fn says(keyword: &str, value: &Value) -> bool {
    match keyword {
        "type"
        | "description"
        | "title"
        | "anyOf"
        | "allOf"
        | "$ref"
        | "$defs"
        | "definitions"
        | "default"
        | "required"
        | "properties"
        | "additionalProperties"
        | "items" => true,
        "const" => words::is_primitive(value),
        "enum" => words::are_primitive(value),
        "format" => value
            .as_str()
            .is_some_and(|format| FORMATS.contains(&format)),
        "pattern" => value.as_str().is_some_and(pattern::is_simple),
        "minItems" => *value == 0 || *value == 1,
        _ => false,
    }
}

/// Rewrites a schema. Optional keys stay optional.
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
    compose::tuple_to_list(node);
    compose::close(node);
    tell(node);
    for (_, child) in children_mut(node) {
        narrow_node(child);
    }
}

fn tell(node: &mut Map<String, Value>) {
    let is_map = compose::is_map(node);
    let at_least = node.get("minItems").and_then(Value::as_u64);
    words::tell(node, |keyword, value| {
        // What is left of a map is a fault, and not a text.
        says(keyword, value) || (is_map && keyword == "patternProperties")
    });
    // Of a higher bound, as much as can be said.
    if at_least.is_some_and(|bound| bound > 1) {
        node.insert("minItems".to_owned(), 1.into());
    }
}
