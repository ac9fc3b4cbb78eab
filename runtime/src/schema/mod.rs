//! [`InputSchema`]: the JSON schema of a tool's arguments.
//!
//! Generated ones go through [`normalize`], which makes of schemars' output what models read well and providers
//! accept. Schemas that a program gives at run time are only looked at, and sent as they stand.

mod check;
mod normalize;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments: that of a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputSchema(Value);

/// One parameter as the schema of a function needs it.
#[derive(Debug)]
pub struct Property {
    pub(crate) key: &'static str,
    pub(crate) description: &'static str,
    pub(crate) is_optional: fn() -> bool,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

impl InputSchema {
    /// Takes a schema that is given as data.
    ///
    /// # Errors
    /// What is wrong with it, with the JSON path.
    pub(crate) fn from_value(schema: Value) -> Result<Self, String> {
        check::check(&schema)?;
        Ok(Self(schema))
    }

    /// The schema of a function's parameters.
    pub(crate) fn of_properties(properties: &[Property]) -> Self {
        let mut generator = generator();
        let mut object = Map::new();
        let mut required = Vec::new();
        for property in properties {
            let schema = (property.schema)(&mut generator);
            object.insert(
                property.key.to_owned(),
                described(schema, property.description),
            );
            if !(property.is_optional)() {
                required.push(Value::from(property.key));
            }
        }
        let mut schema = json!({
            "type": "object",
            "properties": object,
            "required": required,
            "additionalProperties": false,
        });
        finish(&mut schema, generator);
        Self(schema)
    }

    /// The schema of one type that holds all arguments. It may turn out not to be that of an object.
    pub(crate) fn of<T: JsonSchema>() -> Value {
        let mut generator = generator();
        let mut schema = T::json_schema(&mut generator).to_value();
        if let Some(object) = schema.as_object_mut()
            && object.get("type").is_some_and(|kind| kind == "object")
        {
            object
                .entry("properties")
                .or_insert_with(|| Value::Object(Map::new()));
            object
                .entry("required")
                .or_insert_with(|| Value::Array(Vec::new()));
            // A union beside the properties has keys of its own, which a closed object would forbid.
            let has_more = ["anyOf", "oneOf", "allOf", "$ref"].map(|key| object.contains_key(key));
            if !has_more.contains(&true) {
                object
                    .entry("additionalProperties")
                    .or_insert(Value::Bool(false));
            }
        }
        finish(&mut schema, generator);
        schema
    }

    pub(crate) const fn as_value(&self) -> &Value {
        &self.0
    }
}

/// One generator for all parameters of a tool, so that a recursive type is defined once, at the root.
fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .into_generator()
}

/// Text at the parameter says more than text at its type.
fn described(mut schema: Schema, description: &str) -> Value {
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
    }
    schema.to_value()
}

fn finish(schema: &mut Value, mut generator: SchemaGenerator) {
    let definitions = generator.take_definitions(true);
    if let Some(object) = schema.as_object_mut()
        && !definitions.is_empty()
    {
        object.insert("$defs".to_owned(), Value::Object(definitions));
    }
    normalize::normalize(schema);
}

#[cfg(test)]
mod tests;
