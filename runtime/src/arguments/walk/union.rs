//! The part of the walk that is about unions: which branch a value is meant for.

use serde_json::{Map, Value};

use super::super::problem::step;
use super::words::{self, expected, got};
use super::{Problems, Walk, is_of_kind};

impl<'a> Walk<'a> {
    /// `allOf` in full, and one branch of `anyOf` or `oneOf`. (Which of several fit is serde's to
    /// choose: it takes the first.)
    pub(super) fn union(&mut self, schema: &'a Map<String, Value>, value: &mut Value, path: &str) {
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for branch in all {
                self.value(branch, value, path);
            }
        }
        let branches = words::branches(schema);
        if branches.is_empty() {
            return;
        }
        let mut tried = Vec::with_capacity(branches.len());
        for branch in branches {
            let mut taken = value.clone();
            let mut walk = Walk {
                root: self.root,
                problems: Problems::default(),
            };
            walk.value(branch, &mut taken, path);
            if walk.problems.is_empty() {
                *value = taken;
                return;
            }
            tried.push(walk.problems);
        }
        match self.meant(branches, value) {
            Some(index) => self.problems.append(tried.swap_remove(index)),
            None => self.no_branch(schema, branches, value, path),
        }
    }

    /// The branch that the value is probably meant for: the only one with its tag, or the only one
    /// of its type.
    fn meant(&self, branches: &'a [Value], value: &Value) -> Option<usize> {
        let only = |is_meant: &dyn Fn(&Map<String, Value>) -> bool| {
            let mut meant = (0..branches.len()).filter(|index| {
                let branch = branches.get(*index).and_then(Value::as_object);
                branch.is_some_and(|branch| is_meant(self.resolved(branch)))
            });
            meant.next().filter(|_| meant.next().is_none())
        };
        only(&|branch| tags(branch).any(|(key, tag)| value.get(key) == Some(tag))).or_else(|| {
            only(&|branch| {
                let kinds = words::kinds(branch);
                kinds.iter().any(|kind| is_of_kind(value, kind))
            })
        })
    }

    /// Of objects that differ by a tag, it is the tag that is wrong.
    fn no_branch(
        &mut self,
        schema: &Map<String, Value>,
        branches: &'a [Value],
        value: &Value,
        path: &str,
    ) {
        let objects = branches.iter().filter_map(Value::as_object);
        let tags: Vec<_> = objects
            .flat_map(|branch| tags(self.resolved(branch)))
            .collect();
        if let (Some((key, _)), Value::Object(object)) = (tags.first(), value) {
            let same = tags.iter().filter(|(other, _)| other == key);
            let names: Vec<_> = same.map(|(_, tag)| tag.to_string()).collect();
            let got = object.get(*key).map_or_else(|| "nothing".to_owned(), got);
            let words = format!("expected one of {}, got {got}", names.join(", "));
            return self.problems.add(&step(path, key), &words);
        }
        let words = format!("expected {}, got {}", expected(schema), got(value));
        self.problems.add(path, &words);
    }
}

/// The properties of an object that have one value only, and that it must have.
fn tags(branch: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let properties = branch.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .filter_map(|(key, schema)| {
            let only = schema.get("const").or_else(|| {
                let listed = schema.get("enum")?.as_array()?;
                listed.first().filter(|_| listed.len() == 1)
            })?;
            Some((key, only))
        })
}
