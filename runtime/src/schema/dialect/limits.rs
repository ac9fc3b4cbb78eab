//! [`Totals`]: Anthropic's limits over all strict tools of a request, and its output.

use serde_json::{Map, Value};

use super::compose;
use crate::schema::faults::for_each;

/// What is counted over all strict tools.
#[derive(Default)]
pub(super) struct Totals {
    tools: Count,
    optional: Count,
    unions: Count,
    has_output: bool,
}

/// How many there are, and which is the first that is too many.
#[derive(Default)]
struct Count {
    all: usize,
    over: Option<String>,
}

const TOOLS: usize = 20;
const OPTIONAL: usize = 24;
const UNIONS: usize = 16;

impl Count {
    fn add(&mut self, limit: usize, place: impl FnOnce() -> String) {
        self.all += 1;
        if self.all == limit + 1 {
            self.over = Some(place());
        }
    }

    fn fault(&self, whose: &str, what: &str, limit: usize, advice: &str) -> Option<String> {
        let (place, all) = (self.over.as_ref()?, self.all);
        Some(format!(
            "{place}: {whose} of the request have too many {what} ({all}) over the limit of {limit}; {advice}"
        ))
    }
}

impl Totals {
    /// Counts a strict tool.
    pub(super) fn add(&mut self, label: &str, schema: Option<&Value>) {
        self.tools.add(TOOLS, || label.to_owned());
        if let Some(schema) = schema {
            self.add_schema(label, schema);
        }
    }

    /// Counts the output, which is no tool.
    pub(super) fn add_output(&mut self, label: &str, schema: &Value) {
        self.has_output = true;
        self.add_schema(label, schema);
    }

    fn add_schema(&mut self, label: &str, schema: &Value) {
        for_each(schema, &mut |path, node| {
            let required = compose::required(node);
            let properties = node.get("properties").and_then(Value::as_object);
            for (key, property) in properties.into_iter().flatten() {
                let place = || format!("{label} at {path}.properties.{key}");
                if !required.contains(key.as_str()) {
                    self.optional.add(OPTIONAL, place);
                }
                if property.as_object().is_some_and(is_union) {
                    self.unions.add(UNIONS, place);
                }
            }
        });
    }

    pub(super) fn faults(&self) -> impl Iterator<Item = String> {
        let (tools, optional, unions) = (&self.tools, &self.optional, &self.unions);
        let whose = match self.has_output {
            true => "the strict tools and the output",
            false => "the strict tools",
        };
        let advice = "make some required, or turn `strict` off for a tool";
        [
            tools.fault(whose, "tools", TOOLS, "turn `strict` off for some"),
            optional.fault(whose, "optional parameters", OPTIONAL, advice),
            unions.fault(
                whose,
                "parameters with union types",
                UNIONS,
                "give some one type, or turn `strict` off for a tool",
            ),
        ]
        .into_iter()
        .flatten()
    }
}

/// A union is a list of branches or of types.
fn is_union(schema: &Map<String, Value>) -> bool {
    compose::COMPOSITION
        .into_iter()
        .any(|key| key != "allOf" && schema.contains_key(key))
        || schema.get("type").is_some_and(Value::is_array)
}
