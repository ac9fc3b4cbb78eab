//! The definitions of a toolkit in each [`Dialect`], made once.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value, json};

use super::Toolkit;
use super::definitions::own_faults;
use crate::error::Error;
use crate::schema::{Dialect, schema_key};
use crate::tool::{Hints, ToolDefinition};

/// What was made of a toolkit's definitions, a place for each dialect.
#[derive(Debug, Default)]
pub(super) struct InDialects([OnceLock<Result<Arc<[Value]>, Error>>; Dialect::COUNT]);

impl Toolkit {
    /// The definitions of all tools as an API takes them, in order; see [`Dialect`] for the fields and what becomes
    /// of the schemas.
    ///
    /// They are made once for each dialect, and are the same to the byte each time, as a provider's cache wants it.
    /// A strict dialect asks for `strict` where nothing is said about it, and leaves those as they are that say
    /// `strict = false`. A schema that is given at run time is sent as it stands, and is strict where it keeps to
    /// the dialect already; one that does not is rewritten if its tool asks for it by
    /// [`strict(true)`](crate::FunctionTool::strict). [Options](crate::ToolDefinition::option) are fields of the
    /// definition, but for MCP.
    ///
    /// ```
    /// use haft::{Dialect, Toolkit, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// /// Roll dice.
    /// #[tool]
    /// async fn roll(#[arg(min = 1, max = 10)] dice: u8, sides: Option<u32>) -> String {
    ///     format!("{dice}d{}", sides.unwrap_or(6))
    /// }
    ///
    /// let kit: Toolkit = toolkit![roll];
    /// let definitions = kit.definitions_for(Dialect::OpenAiStrict)?;
    /// let parameters = &definitions[0]["parameters"];
    /// assert_eq!(parameters["properties"]["sides"]["type"], json!(["integer", "null"]));
    /// assert_eq!(parameters["required"], json!(["dice", "sides"]));
    ///
    /// let definitions = kit.definitions_for(Dialect::AnthropicStrict)?;
    /// let dice = &definitions[0]["input_schema"]["properties"]["dice"];
    /// assert_eq!(*dice, json!({"type": "integer", "description": "At least 1, at most 10."}));
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of every tool, as from [`Dialect::check`], and those of [`testing::check`](crate::testing::check).
    pub fn definitions_for(&self, dialect: Dialect) -> Result<Vec<Value>, Error> {
        self.in_dialect(dialect).map(<[Value]>::to_vec)
    }

    /// As [`definitions_for`](Self::definitions_for), shared.
    pub(crate) fn in_dialect(&self, dialect: Dialect) -> Result<&[Value], Error> {
        let make = || make(dialect, self.definitions());
        match self.0.in_dialects.0.get(dialect as usize) {
            Some(place) => place.get_or_init(make).as_deref().map_err(Clone::clone),
            // There is a place for each.
            None => Ok(&[]),
        }
    }
}

fn make<'a>(
    dialect: Dialect,
    definitions: impl Iterator<Item = &'a ToolDefinition>,
) -> Result<Arc<[Value]>, Error> {
    let api = dialect.api();
    let offered: Vec<_> = definitions
        .filter(|it| !it.is_run_elsewhere(&api))
        .collect();
    let known = |it: &ToolDefinition| {
        it.provided_at(&api)
            .map(|provided| provided.form(it).into())
    };
    let wire: Arc<[Value]> = offered
        .iter()
        .map(|it| known(it).unwrap_or_else(|| write(dialect, it)))
        .collect();
    let mut faults: Vec<_> = offered.iter().copied().flat_map(own_faults).collect();
    faults.extend(offered.iter().filter_map(|it| it.fault_at(&api)));
    // What an API defines has no schema that could be judged.
    let judged = offered
        .iter()
        .zip(&*wire)
        .filter(|(it, _)| it.provided_at(&api).is_none());
    let judged: Vec<_> = judged.map(|(_, wire)| wire.clone()).collect();
    faults.append(&mut dialect.faults(&judged));
    Error::of_faults(&faults).map(|()| wire)
}

/// One definition in the fields of the dialect.
fn write(dialect: Dialect, definition: &ToolDefinition) -> Value {
    let (schema, is_strict) = schema(dialect, definition);
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| {
        fields.insert(key.to_owned(), value);
    };
    if dialect == Dialect::OpenAiStrict {
        put("type", "function".into());
    }
    put("name", definition.name().into());
    if let Some(title) = definition.title().filter(|_| dialect == Dialect::Mcp) {
        put("title", title.into());
    }
    if !definition.description().is_empty() {
        put("description", definition.description().into());
    }
    if dialect != Dialect::Gemini || has_properties(&schema) {
        put(schema_key(dialect), schema);
    }
    match dialect {
        // Where the field is missing, the API chooses.
        Dialect::OpenAiStrict => put("strict", is_strict.into()),
        Dialect::AnthropicStrict if is_strict => put("strict", true.into()),
        Dialect::Mcp => {
            if let Some(schema) = definition.output_schema() {
                put("outputSchema", schema.clone());
            }
            if let Some(annotations) = annotations(definition.hints()) {
                put("annotations", annotations);
            }
        }
        _ => {}
    }
    if dialect != Dialect::Mcp {
        for (key, value) in definition.options() {
            fields.entry(key).or_insert_with(|| value.clone());
        }
    }
    Value::Object(fields)
}

/// The schema that arguments are to be constrained to, of a tool that asks for it.
pub(crate) fn constrained(dialect: Dialect, definition: &ToolDefinition) -> Option<Value> {
    (definition.strictness() == Some(true)).then(|| schema(dialect, definition).0)
}

/// The schema of a tool that is constrained where it can be, and whether it is. One that asks for it is, whatever is found
/// where it is judged.
pub(crate) fn constrained_if_possible(
    dialect: Dialect,
    definition: &ToolDefinition,
) -> (Value, bool) {
    let (narrow, is_strict) = schema(dialect, definition);
    if !is_strict || definition.strictness() == Some(true) {
        return (narrow, is_strict);
    }
    let judged = json!({"name": definition.name(), "strict": true, schema_key(dialect): &narrow});
    if dialect.faults(&[judged]).is_empty() {
        (narrow, true)
    } else {
        (definition.input_schema().clone(), false)
    }
}

/// The schema in the dialect, and whether arguments are to be constrained to it.
fn schema(dialect: Dialect, definition: &ToolDefinition) -> (Value, bool) {
    let mut schema = definition.input_schema().clone();
    let asks = definition.strictness();
    let stays = match dialect {
        Dialect::Plain | Dialect::Mcp => true,
        _ if dialect.is_strict() && asks == Some(false) => true,
        // Given at run time: as it stands, unless asked for otherwise.
        _ => definition.schema().is_given() && (asks != Some(true) || dialect.is_narrow(&schema)),
    };
    if !stays {
        dialect.narrow(&mut schema);
    }
    let is_strict = dialect.is_strict()
        && asks != Some(false)
        && (!stays || asks == Some(true) || dialect.is_narrow(&schema));
    (schema, is_strict)
}

fn has_properties(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    // What says something else is for the checker to judge.
    properties.map_or(schema.get("type") != Some(&json!("object")), |map| {
        !map.is_empty()
    })
}

/// MCP's names for the hints.
fn annotations(hints: Hints) -> Option<Value> {
    let named = [
        ("readOnlyHint", hints.read_only),
        ("destructiveHint", hints.destructive),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ];
    let told: Map<_, _> = named
        .into_iter()
        .filter_map(|(name, hint)| Some((name.to_owned(), hint?.into())))
        .collect();
    (!told.is_empty()).then_some(Value::Object(told))
}
