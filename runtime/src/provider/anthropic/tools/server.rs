//! Tools that the API runs itself: their definitions. Their calls and results are blocks of the reply, which go back whole.

use serde::Serialize;
use serde_json::{Map, Value};

use super::API;
use crate::error::Error;
use crate::tool::{
    Call, Provided, Runs, Tool, ToolDefinition, ToolError, ToolFuture, provided_definition,
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
                betas: betas.iter().map(|&beta| beta.to_owned()).collect(),
                fields: Map::new(),
                runs: Runs::AtServer,
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
            $($(#[$version_about:meta])* $version:ident = $kind:literal $([$beta:literal])?;)+
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

/// The two lists of domains, of which one is given.
macro_rules! domains {
    ($name:ident) => {
        impl $name {
            /// Only these domains. Not together with `blocked_domains`.
            #[must_use]
            pub fn allowed_domains<T: Into<String>>(
                self,
                domains: impl IntoIterator<Item = T>,
            ) -> Self {
                self.option("allowed_domains", strings(domains))
            }

            /// None of these domains.
            #[must_use]
            pub fn blocked_domains<T: Into<String>>(
                self,
                domains: impl IntoIterator<Item = T>,
            ) -> Self {
                self.option("blocked_domains", strings(domains))
            }
        }
    };
}

fn strings<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    texts.into_iter().map(Into::into).collect()
}

/// What of a server tool's result the model is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseInclusion {
    /// All of it.
    Full,
    /// Nothing, where code of the model has read it.
    Excluded,
}

/// Where the user is, about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "approximate")]
#[non_exhaustive]
pub struct UserLocation {
    /// The city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The region or state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The country, by its code of two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The time zone, such as `Europe/Oslo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
}

server_tool! {
    /// Search of the web.
    ///
    /// ```
    /// use haft::anthropic::tools::WebSearch;
    ///
    /// let search = WebSearch::version_20260318().max_uses(2).blocked_domains(["example.com"]);
    /// assert_eq!(search.definition().options()["max_uses"], 2);
    /// ```
    WebSearch = "web_search" {
        version_20250305 = "web_search_20250305";
        version_20260209 = "web_search_20260209";
        version_20260318 = "web_search_20260318";
    }
    /// How often it may be used in a request.
    max_uses: u64;
    /// Where the user is, about.
    user_location: UserLocation;
    /// What is given back of results; from `version_20260318` on.
    response_inclusion: ResponseInclusion;
}

server_tool! {
    /// Fetches pages of the web.
    ///
    /// ```
    /// use haft::anthropic::tools::WebFetch;
    ///
    /// let fetch = WebFetch::version_20260318().max_content_tokens(10_000).citations(true);
    /// assert_eq!(fetch.definition().options()["citations"]["enabled"], true);
    /// ```
    WebFetch = "web_fetch" {
        version_20250910 = "web_fetch_20250910";
        version_20260209 = "web_fetch_20260209";
        version_20260309 = "web_fetch_20260309";
        version_20260318 = "web_fetch_20260318";
    }
    /// How often it may be used in a request.
    max_uses: u64;
    /// How much of a page is read.
    max_content_tokens: u64;
    /// Whether a page that was fetched before may be given again; from `version_20260309` on.
    use_cache: bool;
    /// What is given back of results; from `version_20260318` on.
    response_inclusion: ResponseInclusion;
}

domains!(WebSearch);
domains!(WebFetch);

impl WebFetch {
    /// Whether the model cites the pages.
    #[must_use]
    pub fn citations(self, enabled: bool) -> Self {
        self.option("citations", serde_json::json!({"enabled": enabled}))
    }
}

server_tool! {
    /// Runs code in a container of the API.
    ///
    /// ```
    /// use haft::anthropic::tools::CodeExecution;
    ///
    /// let code = CodeExecution::version_20260521().named("sandbox")?;
    /// assert_eq!(code.definition().name(), "sandbox");
    /// # Ok::<(), haft::Error>(())
    /// ```
    CodeExecution = "code_execution" {
        /// It needs a beta header, which is sent by itself.
        version_20250522 = "code_execution_20250522" ["code-execution-2025-05-22"];
        version_20250825 = "code_execution_20250825";
        version_20260120 = "code_execution_20260120";
        version_20260521 = "code_execution_20260521";
    }
}

server_tool! {
    /// Finds tools that are offered with `defer_loading`, by a regular expression.
    ///
    /// ```
    /// use haft::anthropic::tools::ToolSearchRegex;
    ///
    /// assert_eq!(ToolSearchRegex::version_20251119().definition().name(), "tool_search_tool_regex");
    /// ```
    ToolSearchRegex = "tool_search_tool_regex" {
        version_20251119 = "tool_search_tool_regex_20251119";
        /// The newest one.
        latest = "tool_search_tool_regex";
    }
}

server_tool! {
    /// Finds tools that are offered with `defer_loading`, by words.
    ///
    /// ```
    /// use haft::anthropic::tools::ToolSearchBm25;
    ///
    /// assert_eq!(ToolSearchBm25::version_20251119().definition().name(), "tool_search_tool_bm25");
    /// ```
    ToolSearchBm25 = "tool_search_tool_bm25" {
        version_20251119 = "tool_search_tool_bm25_20251119";
        /// The newest one.
        latest = "tool_search_tool_bm25";
    }
}

/// Another model that the model asks. It needs a beta header, which is sent by itself.
///
/// ```
/// use haft::anthropic::tools::Advisor;
///
/// let advisor = Advisor::version_20260301("claude-opus-5-5").max_uses(2);
/// assert_eq!(advisor.definition().options()["model"], "claude-opus-5-5");
/// ```
#[derive(Clone, Debug)]
pub struct Advisor(ServerTool);

impl Advisor {
    /// `advisor_20260301`, with the model that is asked.
    #[must_use]
    pub fn version_20260301(model: impl Into<String>) -> Self {
        let betas = &["advisor-tool-2026-03-01"];
        Self(ServerTool::with_betas("advisor_20260301", "advisor", betas))
            .option("model", model.into())
    }

    /// How often it may be asked in a request.
    #[must_use]
    pub fn max_uses(self, uses: u64) -> Self {
        self.option("max_uses", uses)
    }

    /// How long an answer of it may be.
    #[must_use]
    pub fn max_tokens(self, tokens: u64) -> Self {
        self.option("max_tokens", tokens)
    }
}

wrapped!(Advisor);

/// The tools of an MCP server that the API connects to. It needs a beta header, which is sent by itself; the server stands
/// in the request's option `mcp_servers`.
///
/// ```
/// use haft::anthropic::tools::McpToolset;
/// use haft::Request;
/// use haft::serde_json::json;
///
/// let toolset = McpToolset::new("docs").tool("delete", json!({"enabled": false}));
/// let servers = json!([{"type": "url", "name": "docs", "url": "https://example.com/mcp"}]);
/// let request = Request::new("claude-opus-5-5").tool(toolset).option("mcp_servers", servers);
/// ```
#[derive(Clone, Debug)]
pub struct McpToolset(ServerTool);

impl McpToolset {
    /// The tools of the server that has this name in the request. Its own name is the server's, as far as it can be one.
    #[must_use]
    pub fn new(server_name: impl Into<String>) -> Self {
        let server_name = server_name.into();
        let betas = &["mcp-client-2025-11-20"];
        // The API has no name for it.
        let tool = ServerTool::with_betas("mcp_toolset", "", betas);
        let named = tool.0.clone().renamed(server_name.clone());
        let own = named.or_else(|_| tool.0.clone().renamed("mcp_toolset".to_owned()));
        Self(own.map_or(tool, ServerTool)).option("mcp_server_name", server_name)
    }

    /// How one tool of the server is offered: `{"enabled": bool, "defer_loading": bool}`, both optional.
    #[must_use]
    pub fn tool(self, name: impl Into<String>, config: Value) -> Self {
        let options = self.0.definition().options();
        let configs = options.get("configs").and_then(Value::as_object);
        let mut configs = configs.cloned().unwrap_or_default();
        configs.insert(name.into(), config);
        self.option("configs", Value::Object(configs))
    }

    /// How all others are offered, in the same form.
    #[must_use]
    pub fn others(self, config: Value) -> Self {
        self.option("default_config", config)
    }
}

wrapped!(McpToolset);
