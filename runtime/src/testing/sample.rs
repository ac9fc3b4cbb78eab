//! A value that fits a schema, the simplest there is.

use serde_json::{Map, Number, Value};

use crate::schema::resolve;

/// A schema that refers to itself ends here; what is deeper is left empty.
const DEPTH: usize = 16;

/// No sample has more items, whatever its schema asks for.
const ITEMS: u64 = 1000;

/// A value that fits the schema: examples and defaults first, only the required keys, the smallest numbers. Patterns
/// are not looked at.
pub(super) fn sample(schema: &Value) -> Value {
    of(schema, schema, "text", DEPTH)
}

/// `name` is the key that the value will stand at: a text that is told apart from others.
fn of(schema: &Value, root: &Value, name: &str, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        return Value::Null;
    };
    let first = |keyword: &str| {
        schema
            .get(keyword)
            .and_then(Value::as_array)
            .and_then(|list| list.first())
    };
    if let Some(given) = first("examples")
        .or_else(|| schema.get("default"))
        .or_else(|| schema.get("const"))
    {
        return given.clone();
    }
    if let Some(value) = first("enum") {
        return value.clone();
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return resolve(root, target).map_or(Value::Null, |target| of(target, root, name, depth));
    }
    if let Some(branch) = first("anyOf")
        .or_else(|| first("oneOf"))
        .or_else(|| first("allOf"))
    {
        return of(branch, root, name, depth);
    }
    match kind(schema) {
        "object" => object(schema, root, depth),
        "array" => array(schema, root, name, depth),
        "string" => text(schema, name),
        "integer" => number(schema, integer),
        "number" => number(schema, Number::from_f64),
        "boolean" => Value::Bool(true),
        "null" => Value::Null,
        _ => Value::String(name.to_owned()),
    }
}

fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or_default(),
        _ => "",
    }
}

fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let properties = schema.get("properties");
    let pair = |key: &str| {
        let value = properties.and_then(|properties| properties.get(key));
        (
            key.to_owned(),
            value.map_or(Value::Null, |value| of(value, root, key, depth)),
        )
    };
    Value::Object(required.map(pair).collect::<Map<_, _>>())
}

fn array(schema: &Value, root: &Value, name: &str, depth: usize) -> Value {
    if let Some(Value::Array(items)) = schema.get("prefixItems") {
        return items
            .iter()
            .map(|item| of(item, root, name, depth))
            .collect();
    }
    let count = schema
        .get("minItems")
        .and_then(Value::as_u64)
        .unwrap_or(0)
        .min(ITEMS);
    let item = schema
        .get("items")
        .map_or(Value::Null, |item| of(item, root, name, depth));
    (0..count).map(|_| item.clone()).collect()
}

fn text(schema: &Value, name: &str) -> Value {
    let length = |keyword: &str| {
        schema
            .get(keyword)
            .and_then(Value::as_u64)
            .and_then(|n| usize::try_from(n).ok())
    };
    let at_most = length("maxLength").unwrap_or(usize::MAX);
    let mut text: String = name.chars().take(at_most).collect();
    while text.chars().count() < length("minLength").unwrap_or(0) {
        text.push('x');
    }
    Value::String(match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2026-01-01T00:00:00Z".to_owned(),
        Some("date") => "2026-01-01".to_owned(),
        Some("time") => "00:00:00Z".to_owned(),
        Some("uuid") => "00000000-0000-0000-0000-000000000000".to_owned(),
        Some("uri") => "https://example.com/".to_owned(),
        Some("ip" | "ipv4") => "127.0.0.1".to_owned(),
        Some("ipv6") => "::1".to_owned(),
        Some("email") => "someone@example.com".to_owned(),
        _ => text,
    })
}

/// The number nearest to zero that the bounds allow.
fn number(schema: &Value, make: impl Fn(f64) -> Option<Number>) -> Value {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let step = bound("multipleOf").unwrap_or(1.0);
    let least = bound("minimum").or_else(|| bound("exclusiveMinimum").map(|bound| bound + step));
    let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|bound| bound - step));
    let nearest = 0_f64
        .max(least.unwrap_or(f64::MIN))
        .min(most.unwrap_or(f64::MAX));
    make((nearest / step).ceil() * step).map_or(Value::Null, Value::Number)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a sample; bounds beyond 64 bits are cut to them"
)]
fn integer(value: f64) -> Option<Number> {
    Some(Number::from(value as i64))
}
