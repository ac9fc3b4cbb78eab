//! The part of the walk that is about unions: which branch a value is meant for.
//!
//! The branch is chosen by what can be seen from outside (the type, the tag, the keys), and only then
//! walked: walking all branches to their ends would take twice as long at each level.

use serde_json::{Map, Value};

use super::super::problem::step;
use super::object::required;
use super::words::{self, any_of, got, one_of};
use super::{Problems, Walk, is_of_kind};
use crate::nearest::nearest;

type Schema = Map<String, Value>;

impl<'a> Walk<'a> {
    /// `allOf` in full, and one branch of `anyOf` or `oneOf`. (Which of several fit is serde's to
    /// choose: it takes the first.)
    pub(super) fn union(&mut self, schema: &'a Schema, value: &mut Value, path: &str) {
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for branch in all {
                self.value(branch, value, path);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            match schema.get(keyword) {
                Some(Value::Array(branches)) if !branches.is_empty() => {
                    self.branches(branches, keyword == "oneOf", value, path);
                }
                _ => {}
            }
        }
    }

    fn branches(&mut self, branches: &'a [Value], is_one: bool, value: &mut Value, path: &str) {
        // What anything fits needs no look at the others.
        if !is_one && branches.contains(&Value::Bool(true)) {
            return;
        }
        let resolved: Vec<_> = branches
            .iter()
            .filter_map(Value::as_object)
            .map(|branch| self.resolved(branch))
            .collect();
        let fitting = |branch: &&'a Schema| fits_outside(branch, value);
        let mut candidates: Vec<_> = resolved.iter().copied().filter(fitting).collect();
        // Where none has the right keys, all of them have words for that.
        if candidates.iter().any(|branch| has_keys_of(branch, value)) {
            candidates.retain(|branch| has_keys_of(branch, value));
        }
        if is_one && candidates.len() > 1 {
            return self.only_one_that_fits(&candidates, value, path);
        }
        match candidates.as_slice() {
            [] => self.no_branch(&resolved, value, path),
            [only] => self.schema(only, value, path),
            several => self.first_that_fits(several, value, path),
        }
    }

    /// Several look alike from outside. If none fits, the problems are those of the branch that has
    /// the fewest.
    fn first_that_fits(&mut self, branches: &[&'a Schema], value: &mut Value, path: &str) {
        let mut fewest: Option<Problems> = None;
        for branch in branches {
            let (taken, problems) = self.aside(value, |walk, copy| walk.schema(branch, copy, path));
            if problems.is_empty() {
                *value = taken;
                return;
            }
            let is_better = |best: &Problems| problems.count() < best.count();
            if fewest.as_ref().is_none_or(is_better) {
                fewest = Some(problems);
            }
        }
        self.problems.append(fewest.unwrap_or_default());
    }

    /// `oneOf` of a schema that a program gives means just one. (Types have `anyOf` instead.)
    fn only_one_that_fits(&mut self, branches: &[&'a Schema], value: &mut Value, path: &str) {
        let mut fits = |branch: &'a Schema| {
            let (_, problems) = self.aside(value, |walk, copy| walk.schema(branch, copy, path));
            problems.is_empty()
        };
        match branches.iter().filter(|branch| fits(branch)).count() {
            0 | 1 => self.first_that_fits(branches, value, path),
            many => {
                let words = format!("fits {many} of the alternatives, and must fit one only");
                self.problems.add(path, words);
            }
        }
    }

    /// No branch is of the value's type, or has its tag.
    fn no_branch(&mut self, branches: &[&Schema], value: &Value, path: &str) {
        let Value::Object(object) = value else {
            return self.no_branch_of_type(branches, value, path);
        };
        let inside: Vec<_> = branches.iter().flat_map(|branch| tags(branch)).collect();
        if let Some((key, _)) = inside.first() {
            let same = inside.iter().filter(|(other, _)| other == key);
            let names: Vec<_> = same.map(|(_, tag)| (*tag).clone()).collect();
            let got = object.get(*key).map_or_else(|| "nothing".to_owned(), got);
            let words = format!("expected {}, got {got}", one_of(&names));
            return self.problems.add(&step(path, key), &words);
        }
        let outside: Vec<_> = branches
            .iter()
            .filter_map(|branch| only_key(branch))
            .collect();
        if outside.is_empty() {
            return self.no_branch_of_type(branches, value, path);
        }
        let names = outside.join(", ");
        let words = match object.keys().next() {
            Some(key) => {
                let hint = nearest(key, outside.iter().copied())
                    .map(|meant| format!("; did you mean `{meant}`?"));
                let hint = hint.unwrap_or_default();
                format!("expected an object with one of the keys {names}, got `{key}`{hint}")
            }
            None => format!("expected an object with one of the keys {names}, got none"),
        };
        self.problems.add(path, &words);
    }

    fn no_branch_of_type(&mut self, branches: &[&Schema], value: &Value, path: &str) {
        let names: Vec<_> = branches
            .iter()
            .filter_map(|branch| names(branch))
            .flatten()
            .collect();
        let meant = value
            .as_str()
            .and_then(|name| nearest(name, names.iter().filter_map(|name| name.as_str())));
        let hint = meant.map(|meant| format!("; did you mean \"{meant}\"?"));
        let words = format!(
            "expected {}, got {}{}",
            any_of(branches.iter().copied()),
            got(value),
            hint.unwrap_or_default()
        );
        self.problems.add(path, &words);
    }
}

/// Whether a value could be of a branch, without a look at what is inside of it.
fn fits_outside(branch: &Schema, value: &Value) -> bool {
    let kinds = words::kinds(branch);
    let is_of_type = kinds.is_empty()
        || kinds.iter().any(|kind| is_of_kind(value, kind))
        || (kinds.contains(&"integer") && super::whole(value).is_some());
    if !is_of_type {
        return false;
    }
    match value {
        Value::Object(object) => has_tags(branch, object),
        Value::String(_) => names(branch).is_none_or(|names| names.contains(value)),
        _ => true,
    }
}

/// Whether an object has the tags of a branch: of two branches that differ by them, one is meant. Of
/// branches without tags, those are meant whose keys are there.
fn has_tags(branch: &Schema, object: &Map<String, Value>) -> bool {
    let mut tags = tags(branch).peekable();
    if tags.peek().is_some() {
        let is_needed = |key: &str| required(branch).any(|needed| needed == key);
        return tags.all(|(key, tag)| match object.get(key) {
            None | Some(Value::Null) if !is_needed(key) => true,
            found => found == Some(tag),
        });
    }
    only_key(branch).is_none_or(|key| object.contains_key(key))
}

/// Whether an object has the keys that a branch asks for, and no others if it is closed: else it cannot fit, whatever
/// is inside.
fn has_keys_of(branch: &Schema, value: &Value) -> bool {
    let Value::Object(object) = value else {
        return true;
    };
    let known = branch.get("properties").and_then(Value::as_object);
    let is_open = branch.get("additionalProperties") != Some(&Value::Bool(false))
        || branch.contains_key("patternProperties");
    let is_known = |key: &String| known.is_some_and(|known| known.contains_key(key));
    required(branch).all(|key| object.contains_key(key)) && (is_open || object.keys().all(is_known))
}

/// The properties of an object that have one value only.
fn tags(branch: &Schema) -> impl Iterator<Item = (&String, &Value)> {
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

/// The key of an object that has no other, and that it must have: the name of a variant, as serde
/// writes enums if it is told nothing else.
fn only_key(branch: &Schema) -> Option<&str> {
    let properties = branch.get("properties")?.as_object()?;
    let required = branch.get("required")?.as_array()?;
    match required.as_slice() {
        [Value::String(key)] if properties.len() == 1 && properties.contains_key(key) => Some(key),
        _ => None,
    }
}

/// The strings that a branch lists.
fn names(branch: &Schema) -> Option<&[Value]> {
    match (branch.get("const"), branch.get("enum")) {
        (Some(only), _) => Some(std::slice::from_ref(only)),
        (None, Some(Value::Array(listed))) => Some(listed),
        _ => None,
    }
}
