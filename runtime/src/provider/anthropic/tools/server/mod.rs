//! Tools that the API runs itself: their definitions. Their calls and results are blocks of the reply, which go back whole.

use serde::Serialize;
use serde_json::{Map, Value};

use super::API;
use crate::error::Error;
use crate::tool::{
    Call, Naming, Provided, Runs, Tool, ToolDefinition, ToolError, ToolFuture, provided_definition,
};

/// A tool that the API runs: the program only offers it.
///
/// It is put into a toolkit like any other, or into a [`Request`](crate::Request) by its
/// [`definition`](Self::definition). At another API it is left out, so one toolkit may hold the web search of each.
///
/// ```
/// use haft::anthropic::tools::{CodeExecution, WebSearch};
/// use haft::{Toolkit, ToolChoice};
///
/// let search = WebSearch::version_20260318().max_uses(3).allowed_domains(["docs.rs"]);
/// let kit = Toolkit::new().with(search)?.with(CodeExecution::version_20260521())?;
/// assert_eq!(kit.names().collect::<Vec<_>>(), ["web_search", "code_execution"]);
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerTool(ToolDefinition);

impl ServerTool {
    /// By its type and its name at the API, for a version that haft does not know yet.
    ///
    /// ```
    /// use haft::anthropic::tools::ServerTool;
    ///
    /// let search = ServerTool::new("web_search_20990101", "web_search").option("max_uses", 3);
    /// assert_eq!(search.definition().name(), "web_search");
    /// ```
    #[must_use]
    pub fn new(kind: &str, wire_name: &str) -> Self {
        Self::with_betas(kind, wire_name, &[])
    }

    fn with_betas(kind: &str, wire_name: &str, betas: &[&str]) -> Self {
        Self(provided_definition(
            wire_name.to_owned(),
            Provided {
                api: API,
                kind: kind.to_owned(),
                wire_name: wire_name.to_owned(),
                naming: Naming::Written,
                betas: betas.iter().map(|&beta| beta.to_owned()).collect(),
                fields: Map::new(),
                runs: Runs::AtServer,
                halted: String::new(),
            },
        ))
    }

    /// Under a name of one's own, by which the program knows it; the API still knows it by its own.
    ///
    /// # Errors
    /// Where it is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn named(self, name: impl Into<String>) -> Result<Self, Error> {
        self.0.renamed(name.into()).map(Self)
    }

    /// A field of the definition, such as `cache_control`, `defer_loading` or `allowed_callers`.
    #[must_use]
    pub fn option(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self(self.0.option(key, value))
    }

    /// Asks the API to constrain the arguments.
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        Self(self.0.strict(strict))
    }

    /// The definition, for [`Request::tool`](crate::Request::tool).
    #[must_use]
    pub const fn definition(&self) -> &ToolDefinition {
        &self.0
    }
}

impl From<ServerTool> for ToolDefinition {
    fn from(tool: ServerTool) -> Self {
        tool.0
    }
}

impl<S> Tool<S> for ServerTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    /// What the API runs is no call for the program. A model that makes one all the same is told so.
    fn call<'a>(&'a self, _: Call<'a, S>) -> ToolFuture<'a> {
        let name = self.0.name();
        let text = format!("Tool '{name}' is run by the API and not by the program");
        Box::pin(std::future::ready(Err(ToolError::new(text))))
    }
}

/// Declares a server tool: a type with a constructor for each version, and a setter for each field.
macro_rules! server_tool {
    (
        $(#[$about:meta])*
        $name:ident = $wire:literal {
            $($(#[$version_about:meta])* $version:ident = $kind:literal $([$beta:path])?;)+
        }
        $($(#[$field_about:meta])* $field:ident: $ty:ty;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name(ServerTool);

        impl $name {
            $(
                $(#[$version_about])*
                #[doc = concat!("`", $kind, "`.")]
                #[must_use]
                pub fn $version() -> Self {
                    Self(ServerTool::with_betas($kind, $wire, &[$($beta)?]))
                }
            )+

            $(
                $(#[$field_about])*
                #[must_use]
                pub fn $field(self, value: $ty) -> Self {
                    self.option(stringify!($field), json(value))
                }
            )*
        }

        wrapped!($name);
    };
}

/// What every server tool has, of a type that holds a [`ServerTool`].
macro_rules! wrapped {
    ($name:ident) => {
        impl $name {
            /// Under a name of one's own; see [`ServerTool::named`].
            ///
            /// # Errors
            /// Where it is not 1 to 64 of `A-Z a-z 0-9 _ -`.
            pub fn named(self, name: impl Into<String>) -> Result<Self, Error> {
                self.0.named(name).map(Self)
            }

            /// A further field of the definition; see [`ServerTool::option`].
            #[must_use]
            pub fn option(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
                Self(self.0.option(key, value))
            }

            /// Asks the API to constrain the arguments.
            #[must_use]
            pub fn strict(self, strict: bool) -> Self {
                Self(self.0.strict(strict))
            }

            /// The definition, for [`Request::tool`](crate::Request::tool).
            #[must_use]
            pub const fn definition(&self) -> &ToolDefinition {
                self.0.definition()
            }
        }

        impl From<$name> for ToolDefinition {
            fn from(tool: $name) -> Self {
                tool.0.into()
            }
        }

        impl<S> Tool<S> for $name {
            fn definition(&self) -> &ToolDefinition {
                self.0.definition()
            }

            fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
                self.0.call(call)
            }
        }
    };
}

/// What these types are in JSON; none of them can fail.
fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

// Below the macros, which they use.
mod code;
mod others;
mod web;

pub use self::code::{CodeExecution, ToolSearchBm25, ToolSearchRegex};
pub use self::others::{Advisor, McpToolset};
pub use self::web::{ResponseInclusion, UserLocation, WebFetch, WebSearch};
