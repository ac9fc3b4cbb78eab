//! Which maps of a generated schema no provider can be told of.

use serde_json::Value;

use super::normalize::children;

/// What schemars writes for keys that are integers.
const INTEGER_KEYS: &[&str] = &[r"^\d+$", r"^-?\d+$"];

/// A fault for each map whose keys are numbers. (Those with truth values as keys look like any other map.)
pub(super) fn faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    look(schema, "$", &mut faults);
    faults
}

fn look(schema: &Value, path: &str, faults: &mut Vec<String>) {
    let Value::Object(node) = schema else { return };
    let patterns = node.get("patternProperties").and_then(Value::as_object);
    if patterns.is_some_and(|map| INTEGER_KEYS.iter().any(|keys| map.contains_key(*keys))) {
        faults.push(format!(
            "{path}: is a map with numbers as keys, which providers cannot be told of; \
             take text as keys, or a list of pairs"
        ));
    }
    for (step, child) in children(node) {
        look(child, &format!("{path}.{step}"), faults);
    }
}
