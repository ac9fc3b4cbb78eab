//! [`InputSchema`]: the JSON schema of a tool's arguments.
//!
//! Generated ones go through [`normalize`], which makes of schemars' output what models read well and providers
//! accept. Schemas that a program gives at run time are only looked at, and sent as they stand. A [`Dialect`] makes of
//! either what one API takes.

mod check;
mod dialect;
mod faults;
mod flat;
mod normalize;
mod plain;
mod property;
mod reference;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use self::dialect::Dialect;
pub(crate) use self::dialect::schema_key;
pub(crate) use self::faults::for_each;
pub(crate) use self::plain::Shape;
pub(crate) use self::property::Property;
pub(crate) use self::reference::resolve;

/// The longest name of a tool, or of a key of its arguments, that every API takes.
pub(crate) const NAME_LENGTH: usize = 64;

/// The schema of a tool's arguments: that of a JSON object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InputSchema {
    #[serde(rename = "input_schema")]
    value: Value,
    /// Whether it was made of types. One that a program gave at run time is sent as it stands.
    #[serde(
        default,
        rename = "generated",
        skip_serializing_if = "std::ops::Not::not"
    )]
    is_generated: bool,
    /// What is looked at of each property before it is read in one pass, in order; `None` where
    /// values must be walked along the schema. Not stored, since what is read again has no types.
    #[serde(skip)]
    shapes: Option<Vec<Shape>>,
    /// What arguments are judged by, where that is not what is sent: the union that it is one object for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    union: Option<Value>,
}

/// In what is asked; how it is looked at does not count.
impl PartialEq for InputSchema {
    fn eq(&self, other: &Self) -> bool {
        (&self.value, self.is_generated) == (&other.value, other.is_generated)
    }
}

impl InputSchema {
    /// Takes a schema that is given as data.
    ///
    /// # Errors
    /// What is wrong with it, with the JSON path.
    pub(crate) fn from_value(schema: Value) -> Result<Self, String> {
        check::check(&schema)?;
        Ok(Self {
            value: schema,
            is_generated: false,
            shapes: None,
            union: None,
        })
    }

    /// The schema of a function's parameters, and what is wrong with it, each with its JSON path and what to do.
    pub(crate) fn of_properties(properties: &mut [Property]) -> (Self, Vec<String>) {
        let mut generator = generator();
        let mut object = Map::new();
        let mut required = Vec::new();
        let mut faults = Vec::new();
        let mut shapes = Vec::new();
        for property in properties {
            faults.append(&mut property.take_faults());
            let of_type = property.of_type(&mut generator);
            shapes.push(plain::shape(of_type.as_value()));
            object.insert(property.key.to_owned(), property.finish(of_type));
            if !property.is_optional {
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
        faults.append(&mut Self::faults(&schema));
        let shapes = shapes.into_iter().collect();
        let schema = Self {
            value: schema,
            is_generated: true,
            shapes,
            union: None,
        };
        (schema, faults)
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

    /// That of an object of which nothing is known.
    pub(crate) fn open() -> Self {
        Self {
            value: json!({"type": "object"}),
            is_generated: false,
            shapes: None,
            union: None,
        }
    }

    /// The schema of what a tool takes whole, such as a tagged union of commands.
    pub(crate) fn of_whole<T: JsonSchema>() -> Self {
        let schema = Self::of::<T>();
        let value = flat::flat(&schema);
        Self {
            union: (value != schema).then_some(schema),
            value,
            is_generated: true,
            shapes: None,
        }
    }

    /// What is wrong with a generated schema, each with its JSON path and what to do.
    pub(crate) fn faults(schema: &Value) -> Vec<String> {
        faults::faults(schema)
    }

    /// Takes a schema that [`of`](Self::of) has made of a type.
    ///
    /// # Errors
    /// Where it is not that of an object, with the JSON path.
    pub(crate) fn from_generated(schema: Value) -> Result<Self, String> {
        let mut schema = Self::from_value(schema)?;
        schema.is_generated = true;
        Ok(schema)
    }

    pub(crate) const fn is_given(&self) -> bool {
        !self.is_generated
    }

    pub(crate) const fn as_value(&self) -> &Value {
        &self.value
    }

    /// What arguments are judged by.
    pub(crate) fn judge(&self) -> &Value {
        self.union.as_ref().unwrap_or(&self.value)
    }

    pub(crate) fn shapes(&self) -> Option<&[Shape]> {
        self.shapes.as_deref()
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

/// The names that an enum without data has in its schema, in order; none of any other type.
pub(crate) fn names(schema: fn(&mut SchemaGenerator) -> Schema) -> Vec<Value> {
    let mut generator = generator();
    let mut schema = schema(&mut generator).to_value();
    finish(&mut schema, generator);
    match schema.get_mut("enum").map(Value::take) {
        Some(Value::Array(names)) => names,
        _ => Vec::new(),
    }
}

/// Marks a schema whose null is no way to leave a key out.
pub(crate) fn keeping_null(mut schema: Schema) -> Schema {
    schema.insert(normalize::MARK.to_owned(), normalize::KEEPS_NULL.into());
    schema
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
