//! [`FunctionTool`]: a tool made from a closure at run time.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Call, IntoToolOutput, Tool, ToolDefinition, ToolError, ToolFuture, ToolReturn};
use crate::arguments::{self, Input};
use crate::error::Error;
use crate::schema::InputSchema;

/// A tool from a closure, for names and schemas that are known only when the program runs.
///
/// The closure takes the arguments as any type that can be read from JSON. As `Box<RawValue>` it gets the model's
/// text untouched, as `serde_json::Value` the parsed value.
///
/// ```
/// use haft::{FunctionTool, ToolError, Toolkit, argument};
/// use haft::serde_json::{Value, json};
///
/// #[argument]
/// struct Sum {
///     a: i64,
///     b: i64,
/// }
///
/// // The schema comes from the type of the arguments ...
/// let add = FunctionTool::new::<Sum, _>("add", "Adds two integers.", |sum: Sum| async move { sum.a + sum.b })?;
/// // ... or is data.
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let echo = FunctionTool::from_schema("echo", "", schema, |input: Value| async move {
///     input["text"].as_str().map(str::to_owned).ok_or_else(|| ToolError::new("nothing to say"))
/// })?;
/// let kit: Toolkit = Toolkit::new().with(add)?.with(echo)?;
/// # Ok::<(), haft::Error>(())
/// ```
pub struct FunctionTool {
    definition: ToolDefinition,
    handler: Handler,
}

/// A closure with its types erased: from the model's text to the output.
type Handler = Box<dyn Fn(Input<'_>) -> ToolFuture<'static> + Send + Sync>;

impl FunctionTool {
    /// A tool whose schema comes from the type of its arguments, a struct.
    ///
    /// # Errors
    /// Where the name does not fit, or the type is not written as a JSON object.
    pub fn new<Args, H>(
        name: impl Into<String>,
        description: impl Into<String>,
        handler: H,
    ) -> Result<Self, Error>
    where
        Args: DeserializeOwned + JsonSchema + Send + 'static,
        H: ToolHandler<Args>,
    {
        let schema = InputSchema::of::<Args>();
        let faults = InputSchema::faults(&schema);
        let definition = ToolDefinition::from_generated(name.into(), description.into(), schema)?;
        Ok(Self {
            definition: definition.with_faults(faults),
            handler: erase(handler),
        })
    }

    /// A tool whose schema is data. It is sent as it stands, and the model's arguments are judged by it before the
    /// closure runs. (Not by `unevaluatedProperties`, `unevaluatedItems`, `format`, and patterns with look-around; a
    /// `$ref` is looked up in the schema itself only.)
    ///
    /// # Errors
    /// Where the name does not fit, or the schema is not that of an object; with the JSON path of the fault.
    pub fn from_schema<Args, H>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        handler: H,
    ) -> Result<Self, Error>
    where
        Args: DeserializeOwned + Send + 'static,
        H: ToolHandler<Args>,
    {
        let definition = ToolDefinition::new(name, description, input_schema)?;
        Ok(Self {
            definition,
            handler: erase(handler),
        })
    }

    /// A tool whose schema is JSON text.
    ///
    /// # Errors
    /// Where the text is not JSON, and as [`from_schema`](Self::from_schema).
    pub fn from_json<Args, H>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: impl AsRef<[u8]>,
        handler: H,
    ) -> Result<Self, Error>
    where
        Args: DeserializeOwned + Send + 'static,
        H: ToolHandler<Args>,
    {
        let name = name.into();
        let schema = serde_json::from_slice(input_schema.as_ref()).map_err(|error| {
            Error::definition(format!(
                "tool `{name}` has a schema that is not JSON: {error}"
            ))
            .with_source(error)
        })?;
        Self::from_schema(name, description, schema, handler)
    }

    /// A name for people; see [`ToolDefinition::with_title`].
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        self.with(|definition| definition.with_title(title))
    }

    /// The JSON schema of its structured results; see [`ToolDefinition::with_output_schema`].
    #[must_use]
    pub fn with_output_schema(self, schema: Value) -> Self {
        self.with(|definition| definition.with_output_schema(schema))
    }

    /// Whether it changes nothing around it; see [`Hints`](crate::Hints) and [`ToolDefinition::read_only`].
    #[must_use]
    pub fn read_only(self, read_only: bool) -> Self {
        self.with(|definition| definition.read_only(read_only))
    }

    /// Whether its changes may destroy something; see [`Hints`](crate::Hints) and [`ToolDefinition::read_only`].
    #[must_use]
    pub fn destructive(self, destructive: bool) -> Self {
        self.with(|definition| definition.destructive(destructive))
    }

    /// Whether a second call with the same arguments changes nothing more; see [`Hints`](crate::Hints).
    #[must_use]
    pub fn idempotent(self, idempotent: bool) -> Self {
        self.with(|definition| definition.idempotent(idempotent))
    }

    /// Whether it deals with an open world, such as the web; see [`Hints`](crate::Hints).
    #[must_use]
    pub fn open_world(self, open_world: bool) -> Self {
        self.with(|definition| definition.open_world(open_world))
    }

    /// Whether its calls run alone; see [`ToolDefinition::exclusive`].
    #[must_use]
    pub fn exclusive(self, exclusive: bool) -> Self {
        self.with(|definition| definition.exclusive(exclusive))
    }

    /// Whether a runner asks before a call of it runs; see [`ToolDefinition::approval`].
    #[must_use]
    pub fn approval(self, approval: bool) -> Self {
        self.with(|definition| definition.approval(approval))
    }

    /// How long a call of it may take; see [`ToolDefinition::with_timeout`].
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(|definition| definition.with_timeout(timeout))
    }

    /// Asks the provider to constrain the model's arguments to the schema, or not to.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        self.with(|definition| definition.strict(strict))
    }

    /// A field of the definition that only some providers know, such as `defer_loading` or `cache_control`.
    #[must_use]
    pub fn option(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|definition| definition.option(key, value))
    }

    fn with(mut self, change: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.definition = change(self.definition);
        self
    }

    /// What the model is told about the tool.
    #[must_use]
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }
}

impl fmt::Debug for FunctionTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionTool")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

impl<S> Tool<S> for FunctionTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        // Its own schema, whatever a tool around it says.
        (self.handler)(Input::new(&self.definition, call.input()))
    }
}

/// A closure that answers calls: it takes the arguments and gives a future of what [`ToolReturn`]
/// says.
///
/// Its error is a [`ToolError`] or becomes one by `?`; for others see [`ToolError::from_error`].
///
/// The future outlives the closure's call, so what it uses is moved into it: cloned, or behind an
/// `Arc`.
///
/// ```
/// use std::sync::Arc;
/// use haft::{FunctionTool, argument};
///
/// #[argument]
/// struct Lookup {
///     word: String,
/// }
///
/// let words = Arc::new(vec!["haft", "helve"]);
/// let tool = FunctionTool::new::<Lookup, _>("knows", "Is it a word?", move |lookup: Lookup| {
///     let words = Arc::clone(&words);
///     async move { words.contains(&lookup.word.as_str()) }
/// })?;
/// # Ok::<(), haft::Error>(())
/// ```
pub trait ToolHandler<Args>: Send + Sync + 'static {
    /// The closure's future.
    type Future: Future<Output = Self::Returned> + Send + 'static;
    /// What the future gives.
    type Returned: ToolReturn<Err: Into<ToolError>>;

    /// Runs it.
    fn handle(&self, arguments: Args) -> Self::Future;
}

impl<Args, F, Fut> ToolHandler<Args> for F
where
    F: Fn(Args) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: ToolReturn<Err: Into<ToolError>>> + Send + 'static,
{
    type Future = Fut;
    type Returned = Fut::Output;

    fn handle(&self, arguments: Args) -> Fut {
        self(arguments)
    }
}

fn erase<Args, H>(handler: H) -> Handler
where
    Args: DeserializeOwned + Send + 'static,
    H: ToolHandler<Args>,
{
    Box::new(move |input| match arguments::read_whole::<Args>(input) {
        Ok(arguments) => {
            let returned = handler.handle(arguments);
            Box::pin(async move {
                returned
                    .await
                    .into_result()
                    .map_err(Into::into)?
                    .into_tool_output()
            })
        }
        Err(error) => Box::pin(std::future::ready(Err(error))),
    })
}
