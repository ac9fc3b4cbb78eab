//! Tools that the API runs itself: their definitions. Their calls and results are blocks of the reply, which go back whole.

use serde_json::Map;

use super::API;
use crate::provider::server_tool::{json, server_tool_methods};
use crate::tool::{Naming, Provided, Runs, ToolDefinition, provided_definition};

/// What every server tool of this API has.
macro_rules! of_server {
    ($name:ident) => {
        server_tool_methods!($name);

        impl $name {
            /// Asks the API to constrain the arguments.
            #[must_use]
            pub fn strict(self, strict: bool) -> Self {
                Self(self.0.strict(strict))
            }
        }
    };
}

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
        Self(server_definition(kind, wire_name, &[]))
    }
}

of_server!(ServerTool);

fn server_definition(kind: &str, wire_name: &str, betas: &[&str]) -> ToolDefinition {
    provided_definition(
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
    )
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
        pub struct $name(ToolDefinition);

        impl $name {
            $(
                $(#[$version_about])*
                #[doc = concat!("`", $kind, "`.")]
                #[must_use]
                pub fn $version() -> Self {
                    Self(server_definition($kind, $wire, &[$($beta)?]))
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

        of_server!($name);
    };
}

// Below the macros, which they use.
mod code;
mod others;
mod web;

pub use self::code::{CodeExecution, ToolSearchBm25, ToolSearchRegex};
pub use self::others::{Advisor, McpToolset};
pub use self::web::{ResponseInclusion, UserLocation, WebFetch, WebSearch};
