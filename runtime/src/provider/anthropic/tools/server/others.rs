//! Another model, and the tools of an MCP server.

use serde_json::Value;

use super::{server_definition, server_tool_methods};
use crate::anthropic::betas;
use crate::tool::ToolDefinition;

/// Another model that the model asks. It needs a beta header, which is sent by itself.
///
/// ```
/// use haft::anthropic::tools::Advisor;
///
/// let advisor = Advisor::version_20260301("claude-opus-5-5").max_uses(2);
/// assert_eq!(advisor.definition().options()["model"], "claude-opus-5-5");
/// ```
#[derive(Clone, Debug)]
pub struct Advisor(ToolDefinition);

impl Advisor {
    /// `advisor_20260301`, with the model that is asked.
    #[must_use]
    pub fn version_20260301(model: impl Into<String>) -> Self {
        let betas = &[betas::ADVISOR_TOOL];
        Self(server_definition("advisor_20260301", "advisor", betas)).option("model", model.into())
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

of_server!(Advisor);

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
pub struct McpToolset(ToolDefinition);

impl McpToolset {
    /// The tools of the server that has this name in the request. Its own name is the server's, as far as it can be one.
    #[must_use]
    pub fn new(server_name: impl Into<String>) -> Self {
        let server_name = server_name.into();
        let betas = &[betas::MCP_CLIENT];
        // The API has no name for it.
        let tool = server_definition("mcp_toolset", "", betas);
        let named = tool.clone().renamed(server_name.clone());
        let own = named.or_else(|_| tool.clone().renamed("mcp_toolset".to_owned()));
        Self(own.unwrap_or(tool)).option("mcp_server_name", server_name)
    }

    /// How one tool of the server is offered: `{"enabled": bool, "defer_loading": bool}`, both optional.
    #[must_use]
    pub fn tool(self, name: impl Into<String>, config: Value) -> Self {
        let options = self.0.options();
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

of_server!(McpToolset);
