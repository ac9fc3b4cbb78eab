//! References within a schema: where they lead, which of them come back to themselves, and schemas put in their place.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::schema::faults::for_each;
use crate::schema::normalize::children_mut;
use crate::schema::reference::{reference, resolve, unresolved};

/// More references than a sane schema has. Definitions that use each other twice would double at each step.
const EXPANSIONS: usize = 10_000;
/// And they lead from one to the next, each within the other: a stack has an end.
const NESTED: usize = 100;

/// Keywords that hold definitions, the second of them in older schemas.
pub(super) const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// Which references are recursive: what they lead to holds, at any depth, that reference again.
struct Recursion<'a> {
    root: &'a Value,
    /// The references in what a reference leads to, as far as that was asked.
    within: HashMap<String, Vec<String>>,
    known: HashMap<String, bool>,
}

impl<'a> Recursion<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            within: HashMap::new(),
            known: HashMap::new(),
        }
    }

    fn has(&mut self, start: &str) -> bool {
        if let Some(known) = self.known.get(start) {
            return *known;
        }
        let (mut seen, mut open) = (HashSet::new(), vec![start.to_owned()]);
        while let Some(next) = open.pop() {
            for found in self.within(next) {
                if seen.insert(found.clone()) {
                    open.push(found.clone());
                }
            }
        }
        let is_recursive = seen.contains(start);
        self.known.insert(start.to_owned(), is_recursive);
        is_recursive
    }

    fn within(&mut self, start: String) -> &[String] {
        let root = self.root;
        self.within.entry(start).or_insert_with_key(|start| {
            let mut found = Vec::new();
            if let Some(target) = resolve(root, start) {
                for_each(target, &mut |_, node| {
                    found.extend(reference(node).map(str::to_owned));
                });
            }
            found
        })
    }
}

/// Which references a dialect takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    All,
    NotRecursive,
    None,
}

/// References that lead nowhere or are not taken; recursive ones once each.
pub(super) fn faults(root: &Value, taken: Taken) -> Vec<String> {
    let (mut faults, mut told) = (Vec::new(), HashSet::new());
    let mut recursion = Recursion::new(root);
    for_each(root, &mut |path, node| {
        let Some(reference) = reference(node) else {
            return;
        };
        if let Some(fault) = unresolved(root, node, path) {
            faults.push(fault);
        } else if taken != Taken::All && recursion.has(reference) {
            if told.insert(reference.to_owned()) {
                faults.push(format!(
                    "{path}.$ref: `{reference}` is recursive, which this API cannot be told; \
                     take a type of limited depth, or a flat list whose entries name their parents"
                ));
            }
        } else if taken == Taken::None {
            faults.push(format!(
                "{path}.$ref: references are not taken; put the schema in its place"
            ));
        }
    });
    faults
}

/// Whether anything in a schema looks like a reference.
fn has_references(json: &Value) -> bool {
    match json {
        Value::Object(map) => {
            map.get("$ref").is_some_and(Value::is_string) || map.values().any(has_references)
        }
        Value::Array(list) => list.iter().any(has_references),
        _ => false,
    }
}

/// Puts schemas in the place of the references that `wants` is true of, but of recursive ones. At the root and in an
/// `allOf` there must be a schema, so that any is put there.
pub(super) fn inline(schema: &mut Value, wants: fn(&Map<String, Value>) -> bool) {
    if !has_references(schema) {
        return;
    }
    let root = schema.clone();
    let mut inliner = Inliner {
        root: &root,
        within: Vec::new(),
        recursion: Recursion::new(&root),
        left: EXPANSIONS,
        wants,
    };
    inliner.inline(schema, true);
}

struct Inliner<'a> {
    root: &'a Value,
    /// The references whose schema the walk is in.
    within: Vec<String>,
    recursion: Recursion<'a>,
    left: usize,
    wants: fn(&Map<String, Value>) -> bool,
}

impl Inliner<'_> {
    fn inline(&mut self, schema: &mut Value, is_forced: bool) {
        let Value::Object(node) = schema else { return };
        let depth = self.within.len();
        while (is_forced || (self.wants)(node)) && self.expand(node, is_forced) {}
        for (keyword, child) in children_mut(node) {
            self.inline(child, keyword == "allOf");
        }
        self.within.truncate(depth);
    }

    /// Puts the schema there. What stands beside the reference says more than what it leads to.
    fn expand(&mut self, node: &mut Map<String, Value>, is_forced: bool) -> bool {
        let Some(reference) = reference(node).map(str::to_owned) else {
            return false;
        };
        let Some(Value::Object(target)) = resolve(self.root, &reference) else {
            return false;
        };
        let is_endless = match is_forced {
            true => self.within.contains(&reference),
            false => self.recursion.has(&reference),
        };
        if self.left == 0 || self.within.len() == NESTED || is_endless {
            return false;
        }
        self.left -= 1;
        node.shift_remove("$ref");
        for (keyword, value) in target {
            if !DEFINITIONS.contains(&keyword.as_str()) {
                node.entry(keyword).or_insert_with(|| value.clone());
            }
        }
        self.within.push(reference);
        true
    }
}

/// Removes definitions that nothing refers to any more.
pub(super) fn drop_definitions(schema: &mut Value) {
    let mut has_references = false;
    for_each(schema, &mut |path, node| {
        let is_used = |name: &str| path.starts_with(&format!("$.{name}."));
        has_references |= reference(node).is_some() && !DEFINITIONS.into_iter().any(is_used);
    });
    if let Some(root) = schema.as_object_mut().filter(|_| !has_references) {
        for keyword in DEFINITIONS {
            root.shift_remove(keyword);
        }
    }
}

/// A reference that may have nothing beside it, within a schema that may.
///
/// ```text
/// {"$ref": "#/$defs/Node", "description": "The root."}
/// {"description": "The root.", "anyOf": [{"$ref": "#/$defs/Node"}]}
/// ```
pub(super) fn set_apart(node: &mut Map<String, Value>) {
    if node.len() > 1
        && !node.contains_key("anyOf")
        && let Some(reference) = node.shift_remove("$ref")
    {
        node.insert("anyOf".to_owned(), json!([{"$ref": reference}]));
    }
}
