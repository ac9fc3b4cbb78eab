//! What is wrong with a generated schema, where only the whole of it shows it.

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::normalize::children;

/// What schemars writes for keys that are integers.
const INTEGER_KEYS: &[&str] = &[r"^\d+$", r"^-?\d+$"];

/// Bounds that leave something between them.
const PAIRS: &[(&str, &str)] = &[
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
];

/// Each fault with its path and what to do.
pub(super) fn faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for_each(schema, &mut |path, node| {
        let found = [number_keys(node), pattern(node)].into_iter().flatten();
        let found = found.chain(crossed_bounds(node));
        faults.extend(found.map(|fault| format!("{path}{fault}")));
    });
    faults
}

/// Shows `look` each schema within a schema, with its path.
pub(crate) fn for_each(schema: &Value, look: &mut dyn FnMut(&str, &Map<String, Value>)) {
    step(schema, "$", look);
}

fn step(schema: &Value, path: &str, look: &mut dyn FnMut(&str, &Map<String, Value>)) {
    let Value::Object(node) = schema else { return };
    look(path, node);
    for (key, child) in children(node) {
        step(child, &format!("{path}.{key}"), look);
    }
}

/// Maps with numbers as keys. (Those with truth values as keys look like any other map.)
fn number_keys(node: &Map<String, Value>) -> Option<String> {
    let patterns = node.get("patternProperties").and_then(Value::as_object)?;
    let has_numbers = INTEGER_KEYS.iter().any(|keys| patterns.contains_key(*keys));
    has_numbers.then(|| {
        ": is a map with numbers as keys, which providers cannot be told of; \
         take text as keys, or a list of pairs"
            .to_owned()
    })
}

/// Patterns that could not be enforced.
fn pattern(node: &Map<String, Value>) -> Option<String> {
    let pattern = node.get("pattern")?.as_str()?;
    let error = Regex::new(pattern).err()?;
    Some(format!(
        ".pattern: `{pattern}` is no regular expression that can be checked here ({error}); \
         mend it, or write it without look-around, back references and `\\p{{..}}`"
    ))
}

/// Bounds that nothing is between.
fn crossed_bounds(node: &Map<String, Value>) -> impl Iterator<Item = String> {
    PAIRS.iter().filter_map(|(low, high)| {
        let bounds = node.get(*low)?.as_f64().zip(node.get(*high)?.as_f64())?;
        (bounds.0 > bounds.1).then(|| {
            format!(".{low}: is above the `{high}`, so that nothing could be given; change one")
        })
    })
}
