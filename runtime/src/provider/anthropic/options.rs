//! What only this API can be asked, in types: thinking, effort, caching, MCP servers, edits of the context.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::request::Request;

/// What only Anthropic's API can be asked, as methods of a [`Request`]. Another API does not understand these fields, so
/// they are for requests that only this one gets.
///
/// Betas that a field needs are sent by themselves.
///
/// ```
/// use haft::Request;
/// use haft::anthropic::{CacheControl, Effort, RequestExt as _, Thinking};
///
/// let request = Request::new("claude-opus-5-5")
///     .system("A long manual ...")
///     .cache_system(CacheControl::ephemeral().for_an_hour())
///     .thinking(Thinking::adaptive())
///     .effort(Effort::High)
///     .user("Which page is about valves?");
/// assert_eq!(request.options["output_config"]["effort"], "high");
/// ```
pub trait RequestExt: sealed::Sealed + Sized {
    /// How the model thinks before it answers.
    #[must_use]
    fn thinking(self, thinking: Thinking) -> Self;

    /// How much the model takes upon itself.
    #[must_use]
    fn effort(self, effort: Effort) -> Self;

    /// The tokens that the model should get by with for the whole task; it sees what is left.
    #[must_use]
    fn task_budget(self, tokens: u64) -> Self;

    /// Has the API cache all that can be cached, up to the last block.
    #[must_use]
    fn cache_control(self, cache_control: CacheControl) -> Self;

    /// Has the API cache the tools and the system's text, up to the last block that there is by now: call it after
    /// [`system`](Request::system). (Blocks of messages take the
    /// [option](crate::Content::option) `cache_control`, and so do [definitions](crate::ToolDefinition::option).)
    #[must_use]
    fn cache_system(self, cache_control: CacheControl) -> Self;

    /// An MCP server that the API connects to. Its tools are offered by an
    /// [`McpToolset`](super::tools::McpToolset) of the same name.
    #[must_use]
    fn mcp_server(self, server: McpServer) -> Self;

    /// An edit that the API makes to the context before the model sees it. Several are made in their order.
    #[must_use]
    fn context_edit(self, edit: ContextEdit) -> Self;
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for crate::request::Request {}
}

impl RequestExt for Request {
    fn thinking(self, thinking: Thinking) -> Self {
        self.option("thinking", json(&thinking))
    }

    fn effort(self, effort: Effort) -> Self {
        self.within("output_config", "effort", json(&effort))
    }

    fn task_budget(self, tokens: u64) -> Self {
        let budget = serde_json::json!({"type": "tokens", "total": tokens});
        self.within("output_config", "task_budget", budget)
    }

    fn cache_control(self, cache_control: CacheControl) -> Self {
        self.option("cache_control", json(&cache_control))
    }

    fn cache_system(mut self, cache_control: CacheControl) -> Self {
        if let Some(last) = self.system.pop() {
            let last = last.option("cache_control", json(&cache_control));
            self.system.push(last);
        }
        self
    }

    fn mcp_server(self, server: McpServer) -> Self {
        self.pushed(&["mcp_servers"], json(&server))
    }

    fn context_edit(self, edit: ContextEdit) -> Self {
        // The API takes it in the first place only.
        let is_first = edit
            .0
            .get("type")
            .is_some_and(|kind| kind == CLEAR_THINKING);
        let mut request = self.pushed(&["context_management", "edits"], edit.0);
        if is_first
            && let Some(edits) = request.options.get_mut("context_management")
            && let Some(Value::Array(edits)) = edits.get_mut("edits")
        {
            edits.rotate_right(1);
        }
        request
    }
}

impl Request {
    /// With a field of an option that is an object, or becomes one.
    fn within(mut self, option: &str, key: &str, value: Value) -> Self {
        let place = self.options.entry(option).or_insert(Value::Null);
        *field(place, key) = value;
        self
    }

    /// With one more in a list.
    fn pushed(mut self, path: &[&str], value: Value) -> Self {
        let Some((option, inside)) = path.split_first() else {
            return self;
        };
        let mut place = self.options.entry(*option).or_insert(Value::Null);
        for key in inside {
            place = field(place, key);
        }
        match place {
            Value::Array(list) => list.push(value),
            other => *other = Value::Array(vec![value]),
        }
        self
    }
}

/// A field of an object. What is none gives way to one.
fn field<'a>(place: &'a mut Value, key: &str) -> &'a mut Value {
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    &mut place[key]
}

/// What these types are in JSON; none of them can fail.
fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// How a model thinks before it answers. Which ways a model has is its own: newer ones only think adaptively.
///
/// ```
/// use haft::Request;
/// use haft::anthropic::{RequestExt as _, Thinking, ThinkingDisplay};
///
/// let thinking = Thinking::enabled(4096).display(ThinkingDisplay::Omitted);
/// let request = Request::new("claude-sonnet-4-5").max_tokens(8192).thinking(thinking);
/// assert_eq!(request.options["thinking"]["budget_tokens"], 4096);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Thinking(ThinkingFields);

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct ThinkingFields {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<ThinkingDisplay>,
}

/// What of its thinking a model shows, for [`Thinking::display`].
///
/// ```
/// use haft::Request;
/// use haft::anthropic::{RequestExt as _, Thinking, ThinkingDisplay};
///
/// let thinking = Thinking::adaptive().display(ThinkingDisplay::Summarized);
/// let request = Request::new("claude-opus-5-5").thinking(thinking);
/// assert_eq!(request.options["thinking"]["display"], "summarized");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ThinkingDisplay {
    /// A summary.
    Summarized,
    /// Nothing.
    Omitted,
    /// Short words on where it stands. A beta.
    Updates,
}

impl Thinking {
    const fn of_kind(kind: &'static str) -> Self {
        Self(ThinkingFields {
            kind,
            budget_tokens: None,
            display: None,
        })
    }

    /// As much as the task needs.
    #[must_use]
    pub const fn adaptive() -> Self {
        Self::of_kind("adaptive")
    }

    /// Up to so many tokens: at least 1024, and fewer than `max_tokens`.
    #[must_use]
    pub const fn enabled(budget_tokens: u64) -> Self {
        let mut thinking = Self::of_kind("enabled");
        thinking.0.budget_tokens = Some(budget_tokens);
        thinking
    }

    /// Not at all.
    #[must_use]
    pub const fn disabled() -> Self {
        Self::of_kind("disabled")
    }

    /// Between tools.
    #[must_use]
    pub const fn between_tools() -> Self {
        Self::of_kind("between_tools")
    }

    /// What of it is shown.
    #[must_use]
    pub const fn display(mut self, display: ThinkingDisplay) -> Self {
        self.0.display = Some(display);
        self
    }
}

/// How much a model takes upon itself, for [`RequestExt::effort`].
///
/// ```
/// use haft::Request;
/// use haft::anthropic::{Effort, RequestExt as _};
///
/// let request = Request::new("claude-opus-5-5").effort(Effort::Low);
/// assert_eq!(request.options["output_config"]["effort"], "low");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effort {
    /// As little as does.
    Low,
    /// Less than by itself.
    Medium,
    /// As by itself.
    High,
    /// More.
    XHigh,
    /// As much as it can.
    Max,
}

/// A place up to which the API caches a request. There may be four in one.
///
/// ```
/// use haft::{Content, ToolDefinition};
/// use haft::anthropic::CacheControl;
/// use haft::serde_json::json;
///
/// let manual = Content::text("...").option("cache_control", CacheControl::ephemeral());
/// let tool = ToolDefinition::new("now", "Tell the time.", json!({"type": "object"}))?
///     .option("cache_control", CacheControl::ephemeral().for_an_hour());
/// assert_eq!(tool.options()["cache_control"], json!({"type": "ephemeral", "ttl": "1h"}));
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'static str>,
}

impl CacheControl {
    /// For five minutes after the last use.
    #[must_use]
    pub const fn ephemeral() -> Self {
        Self {
            kind: "ephemeral",
            ttl: None,
        }
    }

    /// For an hour.
    #[must_use]
    pub const fn for_an_hour(mut self) -> Self {
        self.ttl = Some("1h");
        self
    }
}

impl From<CacheControl> for Value {
    fn from(cache_control: CacheControl) -> Self {
        json(&cache_control)
    }
}

/// An MCP server that the API connects to.
///
/// ```
/// use haft::Request;
/// use haft::anthropic::tools::McpToolset;
/// use haft::anthropic::{McpServer, RequestExt as _};
///
/// let request = Request::new("claude-opus-5-5")
///     .mcp_server(McpServer::new("docs", "https://example.com/mcp").token("..."))
///     .tool(McpToolset::new("docs"));
/// ```
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct McpServer {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorization_token: Option<String>,
}

impl McpServer {
    /// A server by a name of one's own, at an `https` address.
    #[must_use]
    pub fn new(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            kind: "url",
            name: name.into(),
            url: url.into(),
            authorization_token: None,
        }
    }

    /// With what the server lets in by. It is part of the request, and so of a [`RunState`](crate::RunState).
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.authorization_token = Some(token.into());
        self
    }
}

/// Without the token.
impl std::fmt::Debug for McpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpServer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// An edit that the API makes to the context before the model sees it.
///
/// ```
/// use haft::Request;
/// use haft::anthropic::{ContextEdit, RequestExt as _};
///
/// let request = Request::new("claude-opus-5-5")
///     .context_edit(ContextEdit::clear_thinking().option("keep", "all"))
///     .context_edit(ContextEdit::clear_tool_uses());
/// assert_eq!(request.options["context_management"]["edits"][1]["type"], "clear_tool_uses_20250919");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContextEdit(Value);

const CLEAR_THINKING: &str = "clear_thinking_20251015";

impl ContextEdit {
    fn of_kind(kind: &str) -> Self {
        Self(serde_json::json!({"type": kind}))
    }

    /// Clears old results: `trigger`, `keep`, `clear_at_least`, `exclude_tools` and `clear_tool_inputs` say which.
    #[must_use]
    pub fn clear_tool_uses() -> Self {
        Self::of_kind("clear_tool_uses_20250919")
    }

    /// Clears old thinking: `keep` says what stays. It is made first.
    #[must_use]
    pub fn clear_thinking() -> Self {
        Self::of_kind(CLEAR_THINKING)
    }

    /// Puts a summary in place of what is old: `trigger`, `instructions` and `pause_after_compaction` say how. (To choose
    /// the moment, call [`Runner::compact_before_next_turn`](crate::Runner::compact_before_next_turn).)
    #[must_use]
    pub fn compact() -> Self {
        Self::of_kind("compact_20260112")
    }

    /// A field of the edit.
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        *field(&mut self.0, &key.into()) = value.into();
        self
    }
}
