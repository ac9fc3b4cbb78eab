//! The part of the walk that is about objects: their keys, known, unknown, missing and null.

use std::cell::LazyCell;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::problem::{step, unknown_key};
use super::{REFERENCES, Walk, words};

impl<'a> Walk<'a> {
    pub(super) fn object(
        &mut self,
        schema: &'a Map<String, Value>,
        object: &mut Map<String, Value>,
        path: &str,
    ) {
        let properties = schema.get("properties").and_then(Value::as_object);
        self.leave_out_nulls(schema, object, path);
        self.known_keys(schema, object, path);
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let is_known = |key: &str| properties.is_some_and(|known| known.contains_key(key));
        let others = object.iter_mut().filter(|(key, _)| !is_known(key));
        for (key, value) in others {
            let place = step(path, key);
            if self.is_unread(path, key) {
                continue;
            }
            if let Some(schema) = additional(schema, key).filter(|schema| schema.is_object()) {
                self.value(schema, value, &place);
            } else if is_closed && !has_pattern(schema, key) {
                let known = properties.into_iter().flat_map(Map::keys);
                self.problems.add_with(&place, || {
                    match path.is_empty() && known.clone().next().is_none() {
                        true => "unknown key; the tool takes no arguments".to_owned(),
                        false => unknown_key(key, known.map(String::as_str)),
                    }
                });
            }
        }
        let counts = (
            super::count(schema, "minProperties"),
            super::count(schema, "maxProperties"),
        );
        let broken = words::broken_by_count(counts, object.len(), ("key", "keys"));
        self.problems.add_all(path, broken);
    }

    /// In the order of the schema, and so of the signature.
    fn known_keys(
        &mut self,
        schema: &'a Map<String, Value>,
        object: &mut Map<String, Value>,
        path: &str,
    ) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let needed = LazyCell::new(|| required(schema).collect::<HashSet<_>>());
        for (key, property) in properties.into_iter().flatten() {
            match object.get_mut(key) {
                Some(_) if self.is_unread(path, key) => {}
                Some(value) => self.value(property, value, &step(path, key)),
                None if needed.contains(key.as_str()) => {
                    self.problems.add(&step(path, key), "required, but missing")
                }
                None => {}
            }
        }
        let unnamed = |key: &&str| properties.is_none_or(|known| !known.contains_key(*key));
        for key in required(schema).filter(unnamed) {
            if !object.contains_key(key) {
                self.problems.add(&step(path, key), "required, but missing");
            }
        }
    }

    /// Null says of a key that may be left out that it is left out, unless null is a value of it.
    fn leave_out_nulls(
        &self,
        schema: &'a Map<String, Value>,
        object: &mut Map<String, Value>,
        path: &str,
    ) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        if !object.values().any(Value::is_null) {
            return;
        }
        let needed: HashSet<_> = required(schema).collect();
        object.retain(|key, value| {
            let Some(schema) = properties.get(key) else {
                return true;
            };
            let is_unread = || path.is_empty() && self.unread.contains_key(key);
            !value.is_null()
                || is_unread()
                || needed.contains(key.as_str())
                || self.allows_null(schema, REFERENCES)
        });
    }

    /// A union may lead to itself; then it says nothing of null.
    fn allows_null(&self, schema: &'a Value, left: usize) -> bool {
        let Value::Object(schema) = schema else {
            return true;
        };
        let schema = self.resolved(schema);
        let branches = words::branches(schema);
        let kinds = words::kinds(schema);
        let allows_null = |branch| left > 0 && self.allows_null(branch, left - 1);
        (kinds.is_empty() || kinds.contains(&"null"))
            && (branches.is_empty() || branches.iter().any(allows_null))
            && match schema.get("enum") {
                Some(Value::Array(listed)) => listed.contains(&Value::Null),
                _ => schema.get("const").is_none_or(Value::is_null),
            }
    }
}

pub(super) fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let keys = schema.get("required").and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// The schema of a key that has none of its own.
fn additional<'a>(schema: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    let by_pattern = patterns(schema).find(|(pattern, _)| matches(pattern, key));
    by_pattern
        .map(|(_, schema)| schema)
        .or_else(|| schema.get("additionalProperties"))
}

fn has_pattern(schema: &Map<String, Value>, key: &str) -> bool {
    patterns(schema).any(|(pattern, _)| matches(pattern, key))
}

fn patterns(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    patterns.into_iter().flatten()
}

fn matches(pattern: &str, key: &str) -> bool {
    regex_lite::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(key))
}
