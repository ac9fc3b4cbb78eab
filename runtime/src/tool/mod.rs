//! [`Tool`]: a named function with a schema that a model can call, erased so that a toolkit holds any of them.

mod blocking;
mod context;
mod declared;
mod definition;
mod error_tag;
mod function_tool;
mod hints;
mod output;
mod provider_tool;
mod tool_error;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::arguments::Input;

#[cfg(any(feature = "files", feature = "x11"))]
pub(crate) use self::blocking::on_pool;
pub use self::blocking::{Owned, own, run_blocking};
pub use self::context::CallContext;
pub(crate) use self::context::{Lent, ProgressSink};
pub use self::declared::{define, description, returned, text};
pub use self::definition::ToolDefinition;
pub use self::error_tag::{
    ErrorTag, FromBoxed, FromDisplay, FromError, FromToolError, FromUnknown,
};
pub use self::function_tool::{FunctionTool, ToolHandler};
pub use self::hints::Hints;
pub(crate) use self::output::infallible;
pub use self::output::{IntoToolOutput, Json, ToolOutput, ToolReturn};
pub use self::provider_tool::ProviderTool;
pub(crate) use self::provider_tool::{Field, Naming, Provided, Runs, provided_definition};
pub use self::tool_error::ToolError;
pub(crate) use self::tool_error::ToolErrorKind;
pub(crate) use crate::schema::NAME_LENGTH;

/// The future of one call: boxed, since tools of different kinds stand in one toolkit.
///
/// `Box::pin(async move ..)` makes one; it may borrow the tool and the call. A tool around another
/// one sees its failures here, with the cause that the model is not told:
///
/// ```
/// use haft::{Call, Tool, ToolDefinition, ToolFuture};
///
/// struct Logged<T>(T);
///
/// impl<T: Tool> Tool for Logged<T> {
///     fn definition(&self) -> &ToolDefinition {
///         self.0.definition()
///     }
///
///     fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
///         Box::pin(async move {
///             let result = self.0.call(call).await;
///             result.inspect_err(|error| eprintln!("{error}: {:?}", error.source()))
///         })
///     }
/// }
/// ```
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<ToolOutput, ToolError>> + Send + 'a>>;

/// A tool that a model can call, over a toolkit's state `S`.
///
/// `#[tool]` writes this for a function and [`FunctionTool`] for a closure. Implement it where neither fits, such as
/// for a proxy whose tools come from somewhere else. It is object-safe: a toolkit holds `dyn Tool<S>`.
///
/// ```
/// use haft::{Call, Tool, ToolDefinition, ToolFuture, ToolOutput, Toolkit};
/// use haft::serde_json::json;
///
/// struct Echo(ToolDefinition);
///
/// impl<S> Tool<S> for Echo {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///
///     fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
///         let input = call.input().to_owned();
///         Box::pin(async move { Ok(ToolOutput::text(input)) })
///     }
/// }
///
/// let schema = json!({"type": "object", "properties": {}});
/// let echo = Echo(ToolDefinition::new("echo", "Says what it is told.", schema)?);
/// let kit: Toolkit = Toolkit::new().with(echo)?;
/// assert_eq!(kit.names().collect::<Vec<_>>(), ["echo"]);
/// # Ok::<(), haft::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "this is no value of a tool",
    note = "of a function with `#[tool]`, the tool is written `name {{}}`, or listed in `toolkit![name]`",
    note = "a closure becomes one by `haft::FunctionTool`, a type of one's own by `haft::Tool`"
)]
pub trait Tool<S = ()>: Send + Sync {
    /// What the model is told about the tool. The same at each call.
    fn definition(&self) -> &ToolDefinition;

    /// Runs one call. Of the arguments it is known that they are a JSON object, or left out.
    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a>;
}

impl<S, T: Tool<S> + ?Sized> Tool<S> for Arc<T> {
    fn definition(&self) -> &ToolDefinition {
        (**self).definition()
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        (**self).call(call)
    }
}

impl<S, T: Tool<S> + ?Sized> Tool<S> for Box<T> {
    fn definition(&self) -> &ToolDefinition {
        (**self).definition()
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        (**self).call(call)
    }
}

/// One call as a tool gets it: the arguments, and what it knows about the conversation.
///
/// ```
/// use haft::{Call, IntoToolOutput, Tool, ToolDefinition, ToolFuture, argument, serde_json};
///
/// #[argument]
/// struct Sum {
///     a: i64,
///     b: i64,
/// }
///
/// struct Add(ToolDefinition);
///
/// impl Tool for Add {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///
///     fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
///         Box::pin(async move {
///             let sum: Sum = serde_json::from_str(call.input())?;
///             (sum.a + sum.b).into_tool_output()
///         })
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Call<'a, S = ()> {
    definition: &'a ToolDefinition,
    input: &'a str,
    context: &'a CallContext,
    /// In its `Arc`, so that a call can take it to another thread.
    state: &'a Arc<S>,
}

impl<'a, S> Call<'a, S> {
    pub(crate) const fn new(
        definition: &'a ToolDefinition,
        input: &'a str,
        context: &'a CallContext,
        state: &'a Arc<S>,
    ) -> Self {
        Self {
            definition,
            input,
            context,
            state,
        }
    }

    /// The same call over another state.
    pub(crate) const fn over<T>(&self, state: &'a Arc<T>) -> Call<'a, T> {
        Call::new(self.definition, self.input, self.context, state)
    }

    /// The arguments, with the schema that they are read along.
    pub(crate) const fn definition(&self) -> &'a ToolDefinition {
        self.definition
    }

    #[doc(hidden)]
    #[must_use]
    pub fn arguments(&self) -> Input<'a> {
        Input::new(self.definition, self.input)
    }

    /// The arguments as the model wrote them: JSON text, for a call without arguments perhaps empty or `null`.
    #[must_use]
    pub const fn input(&self) -> &'a str {
        self.input
    }

    /// What the tool may know about the call.
    #[must_use]
    pub const fn context(&self) -> &'a CallContext {
        self.context
    }

    /// The toolkit's state.
    #[must_use]
    pub fn state(&self) -> &'a S {
        self.state
    }
}
