//! [`ToolDefinition`]: what a model is told about a tool.

mod provided;
mod renewed;
mod setters;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Hints, Provided};
use crate::error::Error;
use crate::json::present;
use crate::schema::{InputSchema, NAME_LENGTH};

/// What a model is told about a tool: its name, what it does, and the schema of its arguments.
///
/// Cloning is cheap.
///
/// It is serde data, for keeping a [`Request`](crate::Request) that has some. It is no API's form, which
/// [`Toolkit::definitions_for`](crate::Toolkit::definitions_for) gives, and reading it does not check it again.
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
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolDefinition(Arc<Inner>);

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    description: String,
    #[serde(flatten)]
    input_schema: InputSchema,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Hints::are_none")]
    hints: Hints,
    #[serde(
        default,
        rename = "exclusive",
        skip_serializing_if = "std::ops::Not::not"
    )]
    is_exclusive: bool,
    #[serde(
        default,
        rename = "approval",
        skip_serializing_if = "std::ops::Not::not"
    )]
    needs_approval: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    options: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    /// What it is at the API that defines it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provided: Option<Provided>,
}

/// Of the options only the keys: there may be a token among the values.
impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.name())
            .field("description", &self.description())
            .field("input_schema", self.input_schema())
            .field("options", &self.options().keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
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
        Self::from_read(
            name.into(),
            description.into(),
            InputSchema::from_value(input_schema),
        )
    }

    /// A definition with a schema that was made of a type.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn from_generated(
        name: String,
        description: String,
        schema: Value,
    ) -> Result<Self, Error> {
        Self::from_read(name, description, InputSchema::from_generated(schema))
    }

    fn from_read(
        name: String,
        description: String,
        schema: Result<InputSchema, String>,
    ) -> Result<Self, Error> {
        check_name(&name)?;
        let schema = schema.map_err(|fault| {
            Error::definition(format!(
                "tool `{name}` has a schema that is not valid: {fault}"
            ))
        })?;
        Ok(Self::from_checked(name, description, schema))
    }

    /// Under a name that is looked at here.
    ///
    /// # Errors
    /// Where it is no name.
    pub(crate) fn from_named(
        name: String,
        description: String,
        schema: InputSchema,
    ) -> Result<Self, Error> {
        check_name(&name)?;
        Ok(Self::from_checked(name, description, schema))
    }

    pub(crate) fn from_checked(
        name: String,
        description: String,
        input_schema: InputSchema,
    ) -> Self {
        Self(Arc::new(Inner {
            name,
            title: None,
            description,
            input_schema,
            output_schema: None,
            hints: Hints::default(),
            is_exclusive: false,
            needs_approval: false,
            timeout: None,
            strict: None,
            options: Map::new(),
            faults: Vec::new(),
            provided: None,
        }))
    }

    pub(crate) fn with_faults(mut self, faults: Vec<String>) -> Self {
        Arc::make_mut(&mut self.0).faults = faults;
        self
    }

    /// What is wrong with it that the compiler could not see, each with its JSON path and what to do.
    pub(crate) fn faults(&self) -> &[String] {
        &self.0.faults
    }

    fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }

    /// The name that the model calls it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// What it does; empty where nothing is told.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The schema, as arguments are read along it.
    pub(crate) fn schema(&self) -> &InputSchema {
        &self.0.input_schema
    }

    /// The JSON schema of the arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        self.0.input_schema.as_value()
    }

    /// The JSON schema of its structured results.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.0.output_schema.as_ref()
    }

    /// What it says about its effects.
    #[must_use]
    pub fn hints(&self) -> Hints {
        self.0.hints
    }

    /// Whether its calls run alone.
    #[must_use]
    pub fn is_exclusive(&self) -> bool {
        self.0.is_exclusive
    }

    /// Whether a runner asks before a call of it runs.
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.0.needs_approval
    }

    /// How long a call of it may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.0.timeout
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
    fn all_that_is_set_is_there_and_a_clone_keeps_its_own() {
        let plain = named("t").unwrap();
        assert_eq!((plain.title(), plain.timeout()), (None, None));
        assert_eq!(plain.hints(), Hints::default());
        assert!(!plain.is_exclusive() && !plain.needs_approval());
        let full = plain
            .clone()
            .with_title("A tool")
            .with_output_schema(json!({"type": "object"}))
            .read_only(true)
            .idempotent(true)
            .open_world(false)
            .exclusive(true)
            .approval(true)
            .with_timeout(Duration::from_secs(30))
            .strict(true)
            .option("defer_loading", true);
        assert_eq!(full.title(), Some("A tool"));
        assert_eq!(full.output_schema(), Some(&json!({"type": "object"})));
        let hints = full.hints();
        assert_eq!(
            [
                hints.read_only,
                hints.destructive,
                hints.idempotent,
                hints.open_world
            ],
            [Some(true), None, Some(true), Some(false)]
        );
        assert!(full.is_exclusive() && full.needs_approval());
        assert_eq!(full.timeout(), Some(Duration::from_secs(30)));
        assert_eq!(plain, named("t").unwrap(), "the original is as it was");
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
        let property = |schema| fault(json!({"type": "object", "properties": {"a": schema}}));
        assert_eq!(
            property(json!({"type": ["str", "null"]})),
            "tool `t` has a schema that is not valid: $.properties.a.type: must be of array, boolean, integer, null, \
             number, object, string, is \"str\""
        );
        assert_eq!(
            property(json!({"$ref": "#/$defs/A"})),
            "tool `t` has a schema that is not valid: $.properties.a.$ref: `#/$defs/A` leads nowhere in this schema; \
             refer to what stands in its `$defs`"
        );
    }
}
