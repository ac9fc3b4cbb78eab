//! [`ProviderTool`]: a tool that an API defines and the program runs, and [`Provided`], what its definition says there.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Call, ToolDefinition, ToolError};
use crate::api::Api;
use crate::arguments::{Input, ToolInput, read_whole};
use crate::error::Error;
use crate::schema::InputSchema;

/// A tool that an API defines, and the program runs: the model knows its input by itself. `I` is that input.
///
/// The constants of `anthropic::tools` and `openai::tools` are such tools. A function that handles one is declared by
/// `#[tool(provider = ...)]`. It keeps a name of its own, which is its key in the toolkit; the name on the wire is the
/// API's, and the two are mapped in every direction. At another API it is an ordinary function with a schema.
///
/// ```
/// use haft::{Api, ProviderTool, Toolkit, argument, tool, toolkit};
/// use haft::serde_json::json;
///
/// /// What the models of this API send to their notes.
/// #[argument]
/// #[derive(Debug)]
/// #[serde(tag = "command", rename_all = "snake_case")]
/// enum Notes {
///     /// Show a note.
///     View { path: String },
///     /// Write a note.
///     Create { path: String, text: String },
/// }
///
/// const NOTES: ProviderTool<Notes> = ProviderTool::new(Api::new_static("my-api"), "notes_1", "notes");
///
/// /// Notes kept between conversations.
/// #[tool(provider = NOTES)]
/// async fn my_notes(command: Notes) -> String {
///     format!("{command:?}")
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![my_notes];
/// let result = kit.call("my_notes", json!({"command": "view", "path": "a"})).await;
/// assert_eq!(result.text(), r#"View { path: "a" }"#);
/// let result = kit.call("my_notes", json!({"command": "create", "path": "a"})).await;
/// assert_eq!(
///     result.text(),
///     "Error: Invalid input for tool 'my_notes': text: required, but missing"
/// );
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ProviderTool<I> {
    api: Api,
    kind: &'static str,
    wire_name: &'static str,
    betas: &'static [&'static str],
    naming: Naming,
    /// Fields of the definition that have a value; the rest of the places is empty.
    fields: [Option<(&'static str, Field)>; FIELDS],
    input: PhantomData<fn() -> I>,
}

/// More than any tool has.
const FIELDS: usize = 4;

/// As `==`, which no constant has.
#[allow(clippy::indexing_slicing, reason = "within both")]
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The value of a definition's field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    Number(u32),
    Switch(bool),
    Text(&'static str),
    /// Anything else, as JSON.
    Json(&'static str),
    /// What a text is of: the syntax, and what is written in it.
    Grammar(&'static str, &'static str),
}

impl<I> ProviderTool<I> {
    /// A tool of an API: its `type` there, and the name that the model calls it by.
    ///
    /// ```
    /// use haft::{Api, ProviderTool};
    ///
    /// const LOOKUP: ProviderTool<haft::serde_json::Value> =
    ///     ProviderTool::new(Api::ANTHROPIC_MESSAGES, "lookup_20990101", "lookup");
    /// assert_eq!(LOOKUP.wire_name(), "lookup");
    /// ```
    #[must_use]
    pub const fn new(api: Api, kind: &'static str, wire_name: &'static str) -> Self {
        Self {
            api,
            kind,
            wire_name,
            betas: &[],
            naming: Naming::Written,
            fields: [None; FIELDS],
            input: PhantomData,
        }
    }

    /// With the names of the API's betas that a request needs which offers it. They are sent by themselves.
    #[must_use]
    pub const fn with_betas(mut self, betas: &'static [&'static str]) -> Self {
        self.betas = betas;
        self
    }

    /// With another way to tell its name.
    pub(crate) const fn with_naming(mut self, naming: Naming) -> Self {
        self.naming = naming;
        self
    }

    /// With a field of the definition, in place of one of the same key. There are places for all that any tool has.
    #[allow(clippy::indexing_slicing, reason = "within the array")]
    pub(crate) const fn with_field(mut self, key: &'static str, value: Field) -> Self {
        let mut at = 0;
        while at < FIELDS {
            let is_free = match self.fields[at] {
                Some((other, _)) => is_same(other, key),
                None => true,
            };
            if is_free {
                self.fields[at] = Some((key, value));
                return self;
            }
            at += 1;
        }
        self
    }

    /// The `type` of the definition, with its version.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The name that the model calls it by.
    #[must_use]
    pub const fn wire_name(&self) -> &'static str {
        self.wire_name
    }

    pub(crate) fn provided(&self) -> Provided {
        let fields = self.fields.iter().flatten();
        let fields = fields.map(|(key, value)| {
            let value = match *value {
                Field::Number(number) => Value::from(number),
                Field::Switch(switch) => Value::from(switch),
                Field::Text(text) => Value::from(text),
                Field::Json(json) => crate::json::json(json),
                Field::Grammar(syntax, definition) => serde_json::json!({
                    "type": "grammar", "syntax": syntax, "definition": definition,
                }),
            };
            ((*key).to_owned(), value)
        });
        Provided {
            api: self.api.clone(),
            kind: self.kind.to_owned(),
            wire_name: self.wire_name.to_owned(),
            naming: self.naming,
            betas: self.betas.iter().map(|&beta| beta.to_owned()).collect(),
            fields: fields.collect(),
            runs: Runs::AtClient,
            halted: String::new(),
        }
    }
}

impl<I: ToolInput> ProviderTool<I> {
    /// The definition under a name of one's own, for a [`Tool`](crate::Tool) that is no function. The description is
    /// what other APIs are told.
    ///
    /// # Errors
    /// Where the name is not one to 64 of `A-Z a-z 0-9 _ -`.
    pub fn definition(
        &self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Result<ToolDefinition, Error> {
        let schema = InputSchema::of_whole::<I>();
        let definition = ToolDefinition::from_named(name.into(), description.into(), schema)?;
        Ok(definition.with_provided(Some(self.provided())))
    }

    /// Reads the input of a call, as a [`Tool`](crate::Tool) gets it whose definition came from
    /// [`definition`](Self::definition).
    ///
    /// # Errors
    /// All that is wrong with it, each with its path, as a function's arguments are told.
    pub fn read<S>(&self, call: &Call<'_, S>) -> Result<I, ToolError> {
        read_whole(Input::new(call.definition(), call.input()))
    }
}

impl<I> Clone for ProviderTool<I> {
    fn clone(&self) -> Self {
        Self {
            api: self.api.clone(),
            ..*self
        }
    }
}

impl<I> fmt::Debug for ProviderTool<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderTool")
            .field("api", &self.api)
            .field("kind", &self.kind)
            .field("wire_name", &self.wire_name)
            .finish_non_exhaustive()
    }
}

/// What the definition of an API's own tool says there, beside what every definition says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Provided {
    pub(crate) api: Api,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The name that the model knows; of a toolset, that of the set; empty where the API has none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) wire_name: String,
    #[serde(default)]
    pub(crate) naming: Naming,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) betas: Vec<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) fields: Map<String, Value>,
    pub(crate) runs: Runs,
    /// What the model is told of a member of the set that comes behind one that has failed.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) halted: String,
}

/// How a definition tells the API's name of its tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Naming {
    /// It says it.
    #[default]
    Written,
    /// By its type alone.
    ByType,
    /// It says the program's own name, and what the tool is for.
    Own,
}

/// The definition of a tool that the model knows by itself, and the program does not run.
pub(crate) fn provided_definition(name: String, provided: Provided) -> ToolDefinition {
    let definition = ToolDefinition::from_checked(name, String::new(), InputSchema::open());
    definition.with_provided(Some(provided))
}

/// Who runs a tool that an API defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Runs {
    /// The program: at another API, it is an ordinary function.
    AtClient,
    /// The program, as one of several members that have no definition of their own.
    AsToolset,
    /// The API: another one is not told of it.
    AtServer,
}

impl Provided {
    /// Whether the model calls it by a name that this knows.
    pub(crate) fn has_name(&self) -> bool {
        !self.wire_name.is_empty() || self.naming == Naming::Own
    }

    /// The name that the model knows: none, where the API has none.
    pub(crate) fn wire_name<'a>(&'a self, definition: &'a ToolDefinition) -> &'a str {
        match self.naming {
            Naming::Own => definition.name(),
            Naming::Written | Naming::ByType => &self.wire_name,
        }
    }

    /// The definition as the API takes it: told by type, and with the API's name.
    pub(crate) fn form(&self, definition: &ToolDefinition) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("type".to_owned(), self.kind.as_str().into());
        if self.is_named() {
            fields.insert("name".to_owned(), self.wire_name(definition).into());
        }
        if self.naming == Naming::Own && !definition.description().is_empty() {
            let description = definition.description();
            fields.insert("description".to_owned(), description.into());
        }
        fields.extend(self.fields.clone());
        if let Some(strict) = definition.strictness() {
            fields.insert("strict".to_owned(), strict.into());
        }
        for (key, value) in definition.options() {
            // What it is cannot be set otherwise.
            if !matches!(key.as_str(), "name" | "type") {
                fields.insert(key.clone(), value.clone());
            }
        }
        fields
    }

    /// Whether its definition says its name: a toolset's does not.
    pub(crate) fn is_named(&self) -> bool {
        self.has_name() && self.runs != Runs::AsToolset && self.naming != Naming::ByType
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_set_again_is_replaced() {
        let mut tool: ProviderTool<Value> = ProviderTool::new(Api::TESTING, "t_1", "t");
        for number in 0..9 {
            tool = tool
                .with_field("a", Field::Number(number))
                .with_field("ab", Field::Switch(true));
        }
        let fields = Value::Object(tool.provided().fields);
        assert_eq!(fields, serde_json::json!({"a": 8, "ab": true}));
    }
}
