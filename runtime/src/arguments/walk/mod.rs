//! A walk over a value along its schema: finds every problem, and makes of what models write in their
//! own way what serde reads.
//!
//! The schema is the judge, since it is what the model was told. Two spellings are made plain on the
//! way: an integer that is written `3.0`, and null for a key that may be left out.

mod object;
mod rare;
mod union;
mod words;

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use self::words::{expected, got};
use super::distinct::Distinct;
use super::object::Texts;
use super::place::place;
use super::problem::{Problems, misread, of_whole, step};
use crate::schema::resolve;
use crate::tool::ToolError;

/// How many schemas a walk may look at and how many values it may copy, and how many more for each byte
/// of the input. Alternatives that look alike and stand in one another would take twice as long at each
/// level, here and in serde.
const STEPS: usize = 20_000;
const STEPS_OF_A_BYTE: usize = 16;
/// How deep schemas may stand in one another: more than unions at each level of a value need, and less
/// than a stack holds. One that asks for itself of the same value goes on for ever.
const DEPTH: usize = 512;
/// What is said where these did not do.
const UNFINISHED: &str = "cannot be looked at in full, since there are too many alternatives in one another, \
     or the schema refers to itself; send something simpler";
/// How often a reference may lead to nothing but a reference: one that leads to itself asks nothing.
const REFERENCES: usize = 64;

/// What came of a walk: the value that serde is to read, and what is wrong with it.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) value: Value,
    pub(super) problems: Problems,
}

/// Walks over a text along a schema.
///
/// # Errors
/// Where it is no JSON: then there is nothing to walk over.
pub(super) fn walk(schema: &Value, text: &str) -> Result<Walked, ToolError> {
    let mut walk = Walk::new(schema, text.len());
    let mut value = walk.read(text)?;
    walk.value(schema, &mut value, "");
    let problems = walk.into_problems();
    Ok(Walked { value, problems })
}

struct Walk<'a> {
    /// The schema that references are resolved in.
    root: &'a Value,
    problems: Problems,
    /// The keys of the arguments whose text is no value, with the place in it and why.
    unread: HashMap<String, (String, String)>,
    /// How many steps may still be taken.
    left: usize,
    /// How many schemas the walk is in.
    depth: usize,
}

/// What is wrong with a value that is there already.
pub(super) fn walk_value(root: &Value, schema: &Value, mut value: Value) -> Problems {
    let mut walk = Walk::new(root, size(&value));
    walk.value(schema, &mut value, "");
    walk.into_problems()
}

impl<'a> Walk<'a> {
    fn new(root: &'a Value, size: usize) -> Self {
        Self {
            root,
            problems: Problems::default(),
            unread: HashMap::new(),
            left: STEPS.saturating_add(size.saturating_mul(STEPS_OF_A_BYTE)),
            depth: 0,
        }
    }

    fn into_problems(mut self) -> Problems {
        if self.left == 0 {
            self.problems.cut(UNFINISHED);
        }
        self.problems
    }

    /// What another look at a copy of the value finds. It takes from the same steps, since such looks may
    /// stand in one another.
    fn aside(
        &mut self,
        value: &Value,
        look: impl FnOnce(&mut Self, &mut Value),
    ) -> (Value, Problems) {
        let mut walk = Self {
            root: self.root,
            problems: Problems::default(),
            unread: HashMap::new(),
            left: self.left.saturating_sub(size(value)),
            depth: self.depth,
        };
        let mut copy = value.clone();
        look(&mut walk, &mut copy);
        self.left = walk.left;
        (copy, walk.problems)
    }

    /// Each argument by itself, so that one which is no value does not hide the others.
    fn read(&mut self, text: &str) -> Result<Value, ToolError> {
        let texts: Texts<'_> = match serde_json::from_str(text) {
            Ok(texts) => texts,
            Err(error) => return no_object(text, &error),
        };
        let mut object = Map::new();
        for (key, text) in texts.entries() {
            let value = match serde_json::from_str(text) {
                Ok(Distinct(value)) => value,
                Err(error) => {
                    let unread = (place(text, &error), of_whole(&error));
                    self.unread.entry(key.to_owned()).or_insert(unread);
                    Value::Null
                }
            };
            if object.insert(key.to_owned(), value).is_some() {
                let unread = (String::new(), "is there twice".to_owned());
                self.unread.entry(key.to_owned()).or_insert(unread);
            }
        }
        Ok(Value::Object(object))
    }

    /// Says of an argument that could not be read why.
    fn is_unread(&mut self, path: &str, key: &str) -> bool {
        match self.unread.get(key) {
            Some((place, words)) if path.is_empty() => {
                let path = format!("{}{place}", step(path, key));
                self.problems.add(&path, words);
                true
            }
            _ => false,
        }
    }

    fn value(&mut self, schema: &'a Value, value: &mut Value, path: &str) {
        // Anything else is `true`, or no schema.
        let Value::Object(schema) = schema else {
            return;
        };
        let (target, before) = (self.resolved(schema), self.problems.count());
        self.schema(target, value, path);
        // What stands beside a reference holds too.
        if !std::ptr::eq(target, schema) && self.problems.count() == before {
            self.schema(schema, value, path);
        }
    }

    fn schema(&mut self, schema: &'a Map<String, Value>, value: &mut Value, path: &str) {
        if self.depth == DEPTH {
            self.left = 0;
        }
        if self.left > 0 {
            self.left -= 1;
            self.depth += 1;
            self.keywords(schema, value, path);
            self.depth -= 1;
        }
    }

    fn keywords(&mut self, schema: &'a Map<String, Value>, value: &mut Value, path: &str) {
        if !self.kind(schema, value, path) || !self.choice(schema, value, path) {
            return;
        }
        match value {
            Value::Object(object) => self.object(schema, object, path),
            Value::Array(items) => self.array(schema, items, path),
            Value::String(text) => self.text(schema, text, path),
            Value::Number(number) => self.number(schema, number, path),
            Value::Null | Value::Bool(_) => {}
        }
        self.union(schema, value, path);
        self.rare(schema, value, path);
    }

    /// The schema behind references.
    fn resolved(&self, schema: &'a Map<String, Value>) -> &'a Map<String, Value> {
        let mut resolved = schema;
        for _ in 0..REFERENCES {
            let Some(reference) = resolved.get("$ref").and_then(Value::as_str) else {
                break;
            };
            match resolve(self.root, reference).and_then(Value::as_object) {
                Some(target) => resolved = target,
                None => break,
            }
        }
        resolved
    }

    /// Whether the value is of a type that the schema allows. An integer may be written with a
    /// fraction of nothing.
    fn kind(&mut self, schema: &Map<String, Value>, value: &mut Value, path: &str) -> bool {
        let kinds = words::kinds(schema);
        if kinds.is_empty() || kinds.iter().any(|kind| is_of_kind(value, kind)) {
            return true;
        }
        if kinds.contains(&"integer")
            && let Some(whole) = whole(value)
        {
            *value = whole;
            return true;
        }
        self.unfit(schema, value, path);
        false
    }

    /// Whether the value is one of those that the schema lists, if it lists any.
    fn choice(&mut self, schema: &Map<String, Value>, value: &Value, path: &str) -> bool {
        let is_listed = match (schema.get("const"), schema.get("enum")) {
            (Some(only), _) => is_same(only, value),
            (None, Some(Value::Array(listed))) => {
                listed.iter().any(|listed| is_same(listed, value))
            }
            (None, _) => true,
        };
        if !is_listed {
            self.unfit(schema, value, path);
        }
        is_listed
    }

    fn unfit(&mut self, schema: &Map<String, Value>, value: &Value, path: &str) {
        let hint = words::meant(schema, value)
            .map(|meant| format!("; did you mean {meant}?"))
            .unwrap_or_default();
        let words = format!("expected {}, got {}{hint}", expected(schema), got(value));
        self.problems.add(path, words);
    }

    fn array(&mut self, schema: &'a Map<String, Value>, items: &mut [Value], path: &str) {
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let first = first.map_or(&[][..], Vec::as_slice);
        let others = schema.get("items");
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(schema) = first.get(index).or(others) {
                self.value(schema, item, &format!("{path}[{index}]"));
            }
        }
        let closed = (others == Some(&Value::Bool(false))).then_some(first.len());
        let max = count(schema, "maxItems").into_iter().chain(closed).min();
        let broken = words::broken_by_count(
            (count(schema, "minItems"), max),
            items.len(),
            ("item", "items"),
        );
        self.problems.add_all(path, broken);
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            self.unique(items, path);
        }
    }

    fn unique(&mut self, items: &[Value], path: &str) {
        let mut places = HashMap::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let first = *places.entry(item).or_insert(index);
            if first < index {
                let words = format!("is the same as [{first}]; each item may be there once");
                self.problems.add(&format!("{path}[{index}]"), words);
            }
        }
    }

    fn text(&mut self, schema: &Map<String, Value>, text: &str, path: &str) {
        let (min, max) = (count(schema, "minLength"), count(schema, "maxLength"));
        if min.is_some() || max.is_some() {
            let length = text.chars().count();
            let broken = words::broken_by_count((min, max), length, ("character", "characters"));
            self.problems.add_all(path, broken);
        }
        // One that cannot be compiled is a fault of the tool and not of the model.
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && let Ok(compiled) = regex_lite::Regex::new(pattern)
            && !compiled.is_match(text)
        {
            self.problems
                .add(path, format!("must match the pattern `{pattern}`"));
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, number: &Number, path: &str) {
        for (keyword, words, keeps) in words::NUMBER_BOUNDS {
            if let Some(Value::Number(bound)) = schema.get(*keyword)
                && !keeps(number, bound)
            {
                let (bound, number) = (words::number(bound), words::number(number));
                self.problems
                    .add(path, format!("must be {words} {bound}, got {number}"));
            }
        }
    }
}

/// The value of a text that is not that of an object, which is all right where the schema says so.
fn no_object(text: &str, as_object: &serde_json::Error) -> Result<Value, ToolError> {
    match serde_json::from_str(text) {
        Ok(Distinct(value)) if !value.is_object() => Ok(value),
        Ok(_) => Err(ToolError::invalid_input(of_whole(as_object))),
        Err(error) => Err(misread(text, &error)),
    }
}

fn count(schema: &Map<String, Value>, keyword: &str) -> Option<usize> {
    let bound = schema.get(keyword)?;
    let bound = bound.as_u64().or_else(|| whole(bound)?.as_u64())?;
    usize::try_from(bound).ok()
}

/// Whether they are the same to JSON Schema, which knows numbers and no way to write them.
fn is_same(listed: &Value, value: &Value) -> bool {
    let is_float = listed.is_f64() || value.is_f64();
    listed == value || (is_float && listed.is_number() && listed.as_f64() == value.as_f64())
}

/// How many values a value is.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(entries) => entries.values().map(size).sum(),
        _ => 0,
    }
}

fn is_of_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || is_long_integer(value),
        "array" => value.is_array(),
        "object" => value.is_object(),
        // A type that JSON Schema does not have: whoever wrote it must know.
        _ => true,
    }
}

/// Beyond 64 bits serde_json keeps a float, which has no fraction there.
fn is_long_integer(value: &Value) -> bool {
    value
        .as_f64()
        .is_some_and(|number| number.fract() == 0.0 && number.abs() >= MANTISSA)
}

/// From here on, not every integer is a float.
const MANTISSA: f64 = 9_007_199_254_740_992.0;

/// The integer that a float stands for.
#[allow(clippy::cast_possible_truncation, reason = "it is within the range")]
fn whole(value: &Value) -> Option<Value> {
    let number = value.as_f64()?;
    let is_whole = number.fract() == 0.0 && number.abs() < MANTISSA;
    is_whole.then(|| Value::from(number as i64))
}

#[cfg(test)]
mod endless;
#[cfg(test)]
mod tests;
