//! What a schema asks for and what came instead, in words.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::super::bounds::Scalar;
pub(super) use super::super::bounds::broken_by_count;
use crate::error::short;
use crate::nearest::nearest;

/// How much of a value the model is reminded of.
const SHOWN: usize = 60;
/// How many of the values that are allowed it is told.
const LISTED: usize = 40;

/// A bound of numbers: its keyword, its words, and whether a number keeps it.
type NumberBound = (&'static str, &'static str, fn(&Number, &Number) -> bool);

/// The bounds of numbers.
pub(super) const NUMBER_BOUNDS: &[NumberBound] = &[
    ("minimum", "at least", |number, bound| {
        compare(number, bound) != Some(Ordering::Less)
    }),
    ("maximum", "at most", |number, bound| {
        compare(number, bound) != Some(Ordering::Greater)
    }),
    ("exclusiveMinimum", "greater than", |number, bound| {
        compare(number, bound) == Some(Ordering::Greater)
    }),
    ("exclusiveMaximum", "less than", |number, bound| {
        compare(number, bound) == Some(Ordering::Less)
    }),
    ("multipleOf", "a multiple of", |number, step| {
        match (number.as_i128(), step.as_i128()) {
            (Some(number), Some(step)) => step != 0 && number % step == 0,
            _ => number
                .as_f64()
                .zip(step.as_f64())
                .is_none_or(|(number, step)| Scalar::is_multiple(number, step)),
        }
    }),
];

fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one.partial_cmp(&other),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

/// The types that a schema allows; none where it does not say.
pub(super) fn kinds(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The branches of a union; none where a schema is no union.
pub(super) fn branches(schema: &Map<String, Value>) -> &[Value] {
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    branches
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// What a schema asks for, as in "expected ...".
pub(super) fn expected(schema: &Map<String, Value>) -> String {
    if let Some(only) = schema.get("const") {
        return short(&only.to_string(), SHOWN);
    }
    if let Some(Value::Array(listed)) = schema.get("enum") {
        return one_of(listed);
    }
    match branches(schema) {
        [] => list(
            kinds(schema)
                .into_iter()
                .map(|kind| article(kind).to_owned()),
        ),
        branches => any_of(branches.iter().filter_map(Value::as_object)),
    }
}

/// What the branches of a union ask for.
pub(super) fn any_of<'a>(branches: impl Iterator<Item = &'a Map<String, Value>>) -> String {
    list(branches.map(expected))
}

fn list(parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<_> = parts.collect();
    parts.dedup();
    match parts.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

pub(super) fn one_of(listed: &[Value]) -> String {
    let mut names: Vec<_> = listed
        .iter()
        .take(LISTED)
        .map(|value| short(&value.to_string(), SHOWN))
        .collect();
    if listed.len() > LISTED {
        names.push(format!("and {} more", listed.len() - LISTED));
    }
    match names.as_slice() {
        [only] => only.clone(),
        names => format!("one of {}", names.join(", ")),
    }
}

/// The listed value that a text was probably meant to be.
pub(super) fn meant(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let listed = schema.get("enum")?.as_array()?;
    let known = listed.iter().filter_map(Value::as_str);
    nearest(value.as_str()?, known).map(|meant| format!("\"{meant}\""))
}

fn article(kind: &str) -> &str {
    match kind {
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

/// A number for a person: whole ones without a fraction.
pub(super) fn number(number: &Number) -> String {
    let text = number.to_string();
    let text = text.replace("e+", "e");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// What came, as in "got ...".
pub(super) fn got(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => format!("the number {}", number(value)),
        Value::String(_) => format!("the string {}", short(&value.to_string(), SHOWN)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
