//! [`Function`]: what a wire definition says of a tool that has a schema, in any API's spelling.

use serde_json::Value;

use super::Dialect;

/// What is judged of a wire definition.
pub(super) struct Function<'a> {
    /// How faults name the tool.
    pub(super) label: String,
    pub(super) name: Option<&'a str>,
    pub(super) description: Option<&'a Value>,
    pub(super) is_strict: bool,
    /// The key that the dialect has for the schema.
    pub(super) schema_key: &'static str,
    pub(super) schema: Option<&'a Value>,
}

impl<'a> Function<'a> {
    /// `None` for a tool that only the API knows, such as its searches: those have a type of their own and no schema.
    pub(super) fn read(dialect: Dialect, at: usize, definition: &'a Value) -> Option<Self> {
        if !is_function(dialect, definition) {
            return None;
        }
        // The older of OpenAI's two APIs has the fields one level down.
        let fields = definition.get("function").filter(|it| it.is_object());
        let fields = fields.unwrap_or(definition);
        let name = fields.get("name").and_then(Value::as_str);
        let keys = ["input_schema", "parameters", "inputSchema"];
        let schema = keys.into_iter().find_map(|key| fields.get(key));
        Some(Self {
            label: name.map_or_else(
                || format!("tool number {}", at + 1),
                |name| format!("tool `{name}`"),
            ),
            name,
            description: fields.get("description"),
            is_strict: fields.get("strict") == Some(&Value::Bool(true)),
            schema_key: schema_key(dialect),
            schema: schema.filter(|schema| !schema.is_null()),
        })
    }
}

fn is_function(dialect: Dialect, definition: &Value) -> bool {
    match definition.get("type").and_then(Value::as_str) {
        None | Some("function") => true,
        // OpenAI's are texts in a grammar, Anthropic's are functions.
        Some("custom") => dialect != Dialect::OpenAiStrict,
        Some(_) => false,
    }
}

/// The key under which a definition has its schema.
pub(crate) const fn schema_key(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Plain | Dialect::AnthropicStrict => "input_schema",
        Dialect::OpenAiStrict | Dialect::Gemini => "parameters",
        Dialect::Mcp => "inputSchema",
    }
}
