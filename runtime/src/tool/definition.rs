//! [`ToolDefinition`]: what a model is told about a tool.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::schema::InputSchema;

/// The longest name that every API takes.
pub(crate) const NAME_LENGTH: usize = 64;

/// What a model is told about a tool: its name, what it does, and the schema of its arguments.
///
/// Cloning is cheap.
///
/// ```
/// use haft::ToolDefinition;
/// use haft::serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
/// let definition = ToolDefinition::new("get_weather", "Get the current weather.", schema)?.strict(true);
/// assert_eq!(definition.name(), "get_weather");
/// assert_eq!(definition.input_schema()["required"][0], "city");
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition(Arc<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    name: String,
    description: String,
    input_schema: InputSchema,
    strict: Option<bool>,
    options: Map<String, Value>,
}

impl ToolDefinition {
    /// A definition with a schema that is given as data. It is sent as it stands.
    ///
    /// # Errors
    /// Where the name is not 1 to 64 of `A-Z a-z 0-9 _ -`, or the schema is not that of an object; the error gives
    /// the JSON path of the fault. The description may be empty.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Result<Self, Error> {
        let name = name.into();
        check_name(&name)?;
        let input_schema = InputSchema::from_value(input_schema).map_err(|fault| {
            Error::definition(format!(
                "tool `{name}` has a schema that is not valid: {fault}"
            ))
        })?;
        Ok(Self::from_checked(name, description.into(), input_schema))
    }

    pub(crate) fn from_checked(
        name: String,
        description: String,
        input_schema: InputSchema,
    ) -> Self {
        Self(Arc::new(Inner {
            name,
            description,
            input_schema,
            strict: None,
            options: Map::new(),
        }))
    }

    /// Asks the provider to constrain the model's arguments to the schema, or not to.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        Arc::make_mut(&mut self.0).strict = Some(strict);
        self
    }

    /// A field of the definition that only some providers know, such as `defer_loading` or `cache_control`.
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Arc::make_mut(&mut self.0)
            .options
            .insert(key.into(), value.into());
        self
    }

    /// The name that the model calls it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it does; empty where nothing is told.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The JSON schema of the arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        self.0.input_schema.as_value()
    }

    /// Whether the arguments are to be constrained; `None` leaves it to the provider's codec.
    #[must_use]
    pub fn strictness(&self) -> Option<bool> {
        self.0.strict
    }

    /// The fields that only some providers know.
    #[must_use]
    pub fn options(&self) -> &Map<String, Value> {
        &self.0.options
    }
}

/// Names given at run time; those of `#[tool]` are checked by the macro.
fn check_name(name: &str) -> Result<(), Error> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > NAME_LENGTH || !name.chars().all(fits) {
        return Err(Error::definition(format!(
            "tool `{name}` must be named with 1 to {NAME_LENGTH} of the characters `A-Z a-z 0-9 _ -`"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(name: &str) -> Result<ToolDefinition, Error> {
        ToolDefinition::new(name, "", json!({"type": "object"}))
    }

    #[test]
    fn names_are_what_every_api_takes() {
        for good in ["a", "get_weather", "Get-Weather-2", &"x".repeat(64)] {
            assert!(named(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a.b", "größe", &"x".repeat(65)] {
            assert!(
                named(bad).unwrap_err().to_string().contains("1 to 64"),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_schema_that_is_none_is_refused_with_its_path() {
        let fault = |schema| {
            ToolDefinition::new("t", "", schema)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            fault(json!([])),
            "tool `t` has a schema that is not valid: $: must be an object, is an array"
        );
        assert_eq!(
            fault(json!({"type": "string"})),
            "tool `t` has a schema that is not valid: $.type: must be \"object\", is \"string\""
        );
        assert_eq!(
            fault(json!({"type": "object", "properties": {"a": 3}})),
            "tool `t` has a schema that is not valid: $.properties.a: must be a schema, is a number"
        );
    }
}
