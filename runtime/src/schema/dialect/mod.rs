//! [`Dialect`]: the schemas that an API takes, which are less than JSON Schema.
//!
//! One predicate a dialect, `says`, is behind both directions: [`Dialect::narrow`] moves what it denies into the
//! description, and [`Dialect::check`] reports what it denies.

mod anthropic;
mod check;
mod compose;
mod function;
mod gemini;
mod limits;
mod openai;
mod pattern;
mod references;
#[cfg(test)]
mod tests;
mod words;

use serde_json::Value;

pub(crate) use self::function::schema_key;
use crate::api::Api;
use crate::error::Error;

/// A form of tool definitions: what an API takes of JSON Schema, and in which fields.
///
/// [`Toolkit::definitions_for`](crate::Toolkit::definitions_for) writes definitions in a dialect. A dialect narrows:
/// what its API cannot be told as a schema is told in the description (`At least 1, at most 10.`), and still holds
/// when arguments are read. What the API cannot accept at all is an error. [`check`](Self::check) judges definitions
/// that are there already, from wherever they are.
///
/// | dialect | fields of a definition |
/// |---|---|
/// | `Plain` | `name`, `description`, `input_schema` |
/// | `AnthropicStrict` | the same, and `strict` |
/// | `OpenAiStrict` | `type: "function"`, `name`, `description`, `parameters`, `strict` |
/// | `Gemini` | `name`, `description`, `parameters` |
/// | `Mcp` | `name`, `title`, `description`, `inputSchema`, `outputSchema`, `annotations` |
///
/// A field that has nothing to say is left out.
///
/// ```
/// use haft::Dialect;
/// use haft::serde_json::json;
///
/// let definition = json!({
///     "name": "search",
///     "strict": true,
///     "input_schema": {"type": "object", "properties": {"tags": {"type": "object"}}, "additionalProperties": false},
/// });
/// let error = Dialect::AnthropicStrict.check(&[definition]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "tool `search` at $.properties.tags.additionalProperties: must be false for an object; \
///      close it, or turn `strict` off"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// The neutral schema, as [`ToolDefinition::input_schema`](crate::ToolDefinition::input_schema) has it. Of that,
    /// every API asks for a root of `type: "object"` that is no union, and for names and keys of 1 to 64 characters
    /// of `A-Z a-z 0-9 _ -` (keys: `.` too).
    Plain,
    /// Anthropic's strict tools, whose arguments are sure to fit their schema.
    ///
    /// From <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>, and what the API was seen to
    /// answer. Every object is closed, and optional keys stay optional. Bounds of numbers and lengths, all formats
    /// but ten and all patterns but plain ones are told in the description; of `minItems`, 0 and 1 can be said. A
    /// tuple is a list of what may stand in it. Errors are: recursive types, maps with keys of any name, any JSON.
    /// All strict tools of a request together may be 20; they and the [output](crate::Request::output) may have 24
    /// optional parameters and 16 of a union's type.
    /// Within these the API may still find a schema too complex.
    AnthropicStrict,
    /// OpenAI's strict functions, whose arguments are sure to fit their schema.
    ///
    /// From <https://platform.openai.com/docs/guides/structured-outputs>. Every object is closed and all its keys are
    /// required; those that may be left out may be null, which is read as if they were left out. (A handler that
    /// takes the model's text untouched sees the null.) Lengths of texts, defaults and examples are told in the
    /// description; bounds of numbers and lists stay. Recursive types are fine. Errors are: maps with keys of any
    /// name, any JSON, more than 10 levels, 5000 properties or 1000 values of enums.
    OpenAiStrict,
    /// The `Schema` object of Gemini's function declarations.
    ///
    /// From <https://ai.google.dev/api/caching#Schema>. Null is `nullable: true`; a type list is a union; a constant
    /// is an enum with one value; enums are of texts only, others are told in the description, and so are maps.
    /// References become what they refer to. `additionalProperties` is left out, and so are the `parameters` of a
    /// tool that has none. Errors are: recursive types, any JSON, names that do not begin with a letter or `_`.
    Gemini,
    /// Tools of a server of the Model Context Protocol: the neutral schema, and hints as annotations.
    ///
    /// From <https://modelcontextprotocol.io/specification/2025-11-25/server/tools>. Names may have 128 characters,
    /// with `.` among them.
    Mcp,
}

impl Dialect {
    /// Whose own tools it has; those of others are functions in it, or nothing.
    pub(crate) const fn api(self) -> Api {
        match self {
            Self::AnthropicStrict => Api::ANTHROPIC_MESSAGES,
            Self::OpenAiStrict => Api::OPENAI_RESPONSES,
            Self::Plain | Self::Gemini | Self::Mcp => Api::new_static("this dialect"),
        }
    }

    pub(crate) const COUNT: usize = 5;

    /// Judges wire definitions as they stand, each in the fields of the dialect (of the others' names for the schema,
    /// any is understood).
    ///
    /// The rules of a strict dialect are for definitions with `strict: true`; others are judged as
    /// [`Plain`](Self::Plain). Definitions with a `type` of the API's own, such as its searches, are passed over.
    ///
    /// ```
    /// use haft::Dialect;
    /// use haft::serde_json::json;
    ///
    /// let definition = json!({"name": "greet", "description": "Greet.", "input_schema": {"type": "object"}});
    /// Dialect::Plain.check(&[definition])?;
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// All faults of all definitions, each with the tool, the JSON path in its schema, the reason (where the API
    /// names it, in its words) and what to do. The error prints them on one line; where there are many, its
    /// [source](std::error::Error::source) has them whole, one a line.
    pub fn check(self, definitions: &[Value]) -> Result<(), Error> {
        Error::of_faults(&self.faults(definitions))
    }

    pub(crate) fn faults(self, definitions: &[Value]) -> Vec<String> {
        check::faults(self, definitions)
    }

    /// Every fault of the schema of an output beside these tools, those that are strict; `label` is what faults call it.
    pub(crate) fn output_faults(self, label: &str, schema: &Value, tools: &[Value]) -> Vec<String> {
        check::output_faults(self, label, schema, tools)
    }

    /// Rewrites a schema; what the dialect cannot accept stays, for [`check`](Self::check) to find.
    pub(crate) fn narrow(self, schema: &mut Value) {
        match self {
            Self::AnthropicStrict => anthropic::narrow(schema),
            Self::OpenAiStrict => openai::narrow(schema),
            Self::Gemini => gemini::narrow(schema),
            Self::Plain | Self::Mcp => {}
        }
    }

    /// Whether the schema keeps to the dialect as it stands.
    pub(crate) fn is_narrow(self, schema: &Value) -> bool {
        check::in_subset(self, schema).is_empty()
    }

    /// Whether it is one whose API constrains arguments to their schema.
    pub(crate) const fn is_strict(self) -> bool {
        matches!(self, Self::AnthropicStrict | Self::OpenAiStrict)
    }

    /// What faults call it.
    const fn words(self) -> &'static str {
        match self {
            Self::Plain => "JSON Schema",
            Self::AnthropicStrict => "Anthropic's strict schemas",
            Self::OpenAiStrict => "OpenAI's strict schemas",
            Self::Gemini => "Gemini's schemas",
            Self::Mcp => "MCP's schemas",
        }
    }
}
