//! [`Property`]: one parameter as the schema of a function needs it.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

/// One parameter as the schema of a function needs it.
#[derive(Debug)]
pub struct Property {
    pub(super) key: &'static str,
    pub(super) description: &'static str,
    /// Whether the key may be left out.
    pub(crate) is_optional: bool,
    schema: fn(&mut SchemaGenerator) -> Schema,
    keywords: Vec<(&'static str, Value)>,
    faults: Vec<String>,
}

impl Property {
    pub(crate) fn new(
        key: &'static str,
        description: &'static str,
        schema: fn(&mut SchemaGenerator) -> Schema,
    ) -> Self {
        Self {
            key,
            description,
            is_optional: false,
            schema,
            keywords: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Sets a keyword, whatever the type's own schema has for it.
    pub(crate) fn keyword(&mut self, keyword: &'static str, value: Value) {
        self.keywords.push((keyword, value));
    }

    /// Sets a keyword that counts something, where there is a bound.
    pub(crate) fn count(&mut self, keyword: &'static str, bound: Option<usize>) {
        if let Some(bound) = bound {
            self.keyword(keyword, bound.into());
        }
    }

    /// Sets the examples, or says which of them cannot be one.
    pub(crate) fn examples(&mut self, shown: impl Iterator<Item = Result<Value, String>>) {
        let mut examples = Vec::new();
        for (at, shown) in shown.enumerate() {
            match shown {
                // Null is how such a key is left out, and nothing that a model should learn.
                Ok(Value::Null) if self.is_optional => self.fault(
                    &format!("examples[{at}]"),
                    "is the key left out, which is no example; remove it",
                ),
                Ok(json) => examples.push(json),
                Err(fault) => self.fault(&format!("examples[{at}]"), &fault),
            }
        }
        if !examples.is_empty() {
            self.keyword("examples", Value::Array(examples));
        }
    }

    /// Notes what is wrong with a keyword, and what to do.
    pub(crate) fn fault(&mut self, keyword: &str, what: &str) {
        self.faults
            .push(format!("$.properties.{}.{keyword}: {what}", self.key));
    }

    pub(super) fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// The schema of its type.
    pub(super) fn of_type(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// Its own schema. What stands at the parameter says more than what stands at its type.
    pub(super) fn finish(&self, mut schema: Schema) -> Value {
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), self.description.into());
        }
        for (keyword, value) in &self.keywords {
            schema.insert((*keyword).to_owned(), value.clone());
        }
        schema.to_value()
    }
}
