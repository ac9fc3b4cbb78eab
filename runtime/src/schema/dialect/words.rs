//! What a dialect cannot say, in the words of a description.

use serde_json::{Map, Value};

/// Keywords that are for tools and say nothing of the value.
const SILENT: &[&str] = &["$schema", "$id", "$anchor", "$comment", "$vocabulary"];

/// Bounds of a number, with the words before each.
const NUMBERS: &[(&str, &str)] = &[
    ("minimum", "at least"),
    ("exclusiveMinimum", "more than"),
    ("maximum", "at most"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "a multiple of"),
];

/// Bounds of a count, with what is counted.
const COUNTS: &[(&str, &str, &str)] = &[
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "key"),
];

/// Moves the keywords that a dialect does not say into the description, one line each, after the text.
pub(super) fn tell(node: &mut Map<String, Value>, says: impl Fn(&str, &Value) -> bool) {
    let mut unsaid = Map::new();
    let keywords: Vec<_> = node.keys().cloned().collect();
    for keyword in keywords {
        if node
            .get(&keyword)
            .is_some_and(|value| !says(&keyword, value))
            && let Some(value) = node.shift_remove(&keyword)
        {
            unsaid.insert(keyword, value);
        }
    }
    if unsaid.is_empty() {
        return;
    }
    let mut lines = Vec::from_iter(numbers(&mut unsaid));
    for (low, high, what) in COUNTS {
        lines.extend(count(
            unsaid.shift_remove(*low),
            unsaid.shift_remove(*high),
            what,
        ));
    }
    lines.extend(
        unsaid
            .iter()
            .filter_map(|(keyword, value)| other(keyword, value)),
    );
    say_line(node, &lines.join("\n"));
}

/// Adds a line to the description.
pub(super) fn say_line(node: &mut Map<String, Value>, line: &str) {
    if line.is_empty() {
        return;
    }
    let text = match node.get("description").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => format!("{text}\n{line}"),
        _ => line.to_owned(),
    };
    node.insert("description".to_owned(), text.into());
}

/// `At least 1, at most 10.`
fn numbers(unsaid: &mut Map<String, Value>) -> Option<String> {
    let parts: Vec<_> = NUMBERS
        .iter()
        .filter_map(|(keyword, words)| Some(format!("{words} {}", unsaid.shift_remove(*keyword)?)))
        .collect();
    (!parts.is_empty()).then(|| sentence(&parts.join(", ")))
}

/// `3 to 5 items.`
fn count(low: Option<Value>, high: Option<Value>, what: &str) -> Option<String> {
    let plural = |bound: &Value| if *bound == 1 { "" } else { "s" };
    Some(match (low, high) {
        (None, None) => return None,
        (Some(low), Some(high)) if low == high => format!("Exactly {low} {what}{}.", plural(&low)),
        (Some(low), Some(high)) => format!("{low} to {high} {what}{}.", plural(&high)),
        (Some(low), None) => format!("At least {low} {what}{}.", plural(&low)),
        (None, Some(high)) => format!("At most {high} {what}{}.", plural(&high)),
    })
}

fn other(keyword: &str, value: &Value) -> Option<String> {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    Some(match (keyword, value) {
        ("pattern", _) => format!("Matches {text}."),
        ("format", _) => format!("Format: {text}."),
        ("default", _) => format!("Default: {value}."),
        ("const", _) => format!("Always {value}."),
        ("enum", Value::Array(values)) => format!("One of {}.", list(values)),
        ("examples", Value::Array(values)) => format!("Examples: {}.", list(values)),
        ("uniqueItems", Value::Bool(true)) => "No item twice.".to_owned(),
        ("deprecated", Value::Bool(true)) => "Deprecated.".to_owned(),
        ("additionalProperties", Value::Object(map)) if map.is_empty() => {
            "Keys of any name.".to_owned()
        }
        ("additionalProperties", Value::Object(_)) => {
            format!("Keys of any name, each with: {}.", short(value))
        }
        ("additionalProperties", Value::Bool(true)) => "Keys of any name.".to_owned(),
        // What is false says nothing.
        (_, Value::Bool(false)) => return None,
        _ if SILENT.contains(&keyword) || keyword.starts_with("x-") => return None,
        _ => format!("`{keyword}`: {value}."),
    })
}

/// `Items in order: integer, string.`
pub(super) fn in_order(places: &[Value]) -> String {
    let words: Vec<_> = places.iter().map(short).collect();
    format!("Items in order: {}.", words.join(", "))
}

/// A schema in a word, or as JSON where that does not do.
fn short(schema: &Value) -> String {
    let listed = schema.get("enum").or_else(|| schema.get("properties"));
    match schema.get("type").and_then(Value::as_str) {
        Some(kind) if listed.is_none() => kind.to_owned(),
        _ if schema.as_object().is_some_and(Map::is_empty) => "anything".to_owned(),
        _ => schema.to_string(),
    }
}

fn list(values: &[Value]) -> String {
    let texts: Vec<_> = values.iter().map(Value::to_string).collect();
    texts.join(", ")
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

pub(super) fn is_primitive(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

/// Whether it lists something, and only such values.
pub(super) fn are_primitive(values: &Value) -> bool {
    let values = values.as_array().map_or(&[][..], Vec::as_slice);
    !values.is_empty() && values.iter().all(is_primitive)
}

/// The JSON Schema type of a value.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The description of a schema of which only the type is said.
    fn told(schema: Value) -> String {
        let Value::Object(mut node) = schema else {
            return String::new();
        };
        tell(&mut node, |keyword, _| {
            ["type", "description"].contains(&keyword)
        });
        assert!(
            node.keys()
                .all(|key| ["type", "description"].contains(&key.as_str()))
        );
        node.get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    #[test]
    fn bounds_are_sentences_after_the_text() {
        let rows = [
            (
                json!({"minimum": 1, "maximum": 10, "description": "A number"}),
                "A number\nAt least 1, at most 10.",
            ),
            (
                json!({"exclusiveMinimum": 0.5, "multipleOf": 2}),
                "More than 0.5, a multiple of 2.",
            ),
            (
                json!({"minItems": 3, "maxItems": 5, "uniqueItems": true}),
                "3 to 5 items.\nNo item twice.",
            ),
            (json!({"minLength": 1}), "At least 1 character."),
            (
                json!({"minLength": 3, "maxLength": 3, "pattern": "^a+$"}),
                "Exactly 3 characters.\nMatches ^a+$.",
            ),
            (json!({"maxProperties": 2}), "At most 2 keys."),
            (
                json!({"format": "binary", "default": "x"}),
                "Format: binary.\nDefault: \"x\".",
            ),
            (json!({"enum": [1, 2]}), "One of 1, 2."),
            (
                json!({"examples": ["a"], "$schema": "s", "x-own": 1, "readOnly": false}),
                "Examples: \"a\".",
            ),
            (
                json!({"contains": {"const": 2}}),
                "`contains`: {\"const\":2}.",
            ),
            (
                json!({"additionalProperties": {"type": "integer"}}),
                "Keys of any name, each with: integer.",
            ),
        ];
        for (schema, expected) in rows {
            assert_eq!(told(schema), expected);
        }
    }

    #[test]
    fn a_tuple_is_told_by_its_places() {
        let places = [
            json!({"type": "integer", "minimum": 0}),
            json!({}),
            json!({"enum": ["a"]}),
        ];
        assert_eq!(
            in_order(&places),
            "Items in order: integer, anything, {\"enum\":[\"a\"]}."
        );
    }
}
