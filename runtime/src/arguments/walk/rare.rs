//! The part of the walk that is about keywords which only schemas have that a program gives at run
//! time: types do not make them.

use serde_json::{Map, Value};

use super::super::problem::step;
use super::{Walk, count};

type Schema = Map<String, Value>;

impl<'a> Walk<'a> {
    pub(super) fn rare(&mut self, schema: &'a Schema, value: &Value, path: &str) {
        if let Some(not) = schema.get("not")
            && self.fits(not, value)
        {
            self.problems.add(path, "is what it must not be");
        }
        if let Some(condition) = schema.get("if") {
            let keyword = if self.fits(condition, value) {
                "then"
            } else {
                "else"
            };
            self.beside(schema.get(keyword), value, path);
        }
        match value {
            Value::Object(object) => self.rare_of_object(schema, object, value, path),
            Value::Array(items) => self.contains(schema, items, path),
            _ => {}
        }
    }

    /// Whether a value fits a schema by itself.
    fn fits(&mut self, schema: &'a Value, value: &Value) -> bool {
        match schema {
            Value::Bool(any) => *any,
            schema => {
                let (_, problems) = self.aside(value, |walk, copy| walk.value(schema, copy, ""));
                problems.is_empty()
            }
        }
    }

    /// Walks a copy: what another schema makes of the value is not for serde to read.
    fn beside(&mut self, schema: Option<&'a Value>, value: &Value, path: &str) {
        match schema {
            Some(Value::Bool(false)) => self.problems.add(path, "is not allowed here"),
            Some(schema) => {
                let (_, problems) = self.aside(value, |walk, copy| walk.value(schema, copy, path));
                self.problems.append(problems);
            }
            None => {}
        }
    }

    fn rare_of_object(
        &mut self,
        schema: &'a Schema,
        object: &Map<String, Value>,
        value: &Value,
        path: &str,
    ) {
        if let Some(names) = schema.get("propertyNames") {
            for key in object.keys() {
                self.beside(Some(names), &key.as_str().into(), &step(path, key));
            }
        }
        for (key, needed) in entries(schema, "dependentRequired") {
            let needed = needed
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            let missing = needed.filter(|other| !object.contains_key(*other));
            for other in missing.filter(|_| object.contains_key(key)) {
                let words = format!("required beside `{key}`, but missing");
                self.problems.add(&step(path, other), words);
            }
        }
        for (key, schema) in entries(schema, "dependentSchemas") {
            if object.contains_key(key) {
                self.beside(Some(schema), value, path);
            }
        }
    }

    fn contains(&mut self, schema: &'a Schema, items: &[Value], path: &str) {
        let Some(wanted) = schema.get("contains") else {
            return;
        };
        let found = items.iter().filter(|item| self.fits(wanted, item)).count();
        let min = count(schema, "minContains").unwrap_or(1);
        let max = count(schema, "maxContains").unwrap_or(usize::MAX);
        if found < min || found > max {
            let words = format!("has {found} items of the kind that it must contain");
            self.problems.add(path, words);
        }
    }
}

fn entries<'a>(schema: &'a Schema, keyword: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let entries = schema.get(keyword).and_then(Value::as_object);
    entries.into_iter().flatten()
}
