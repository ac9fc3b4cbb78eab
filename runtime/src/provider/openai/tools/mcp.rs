//! The tools of an MCP server that OpenAI connects to, and the approval of their calls.

use serde_json::{Value, json};

use super::API;
use super::server::definition;
use crate::json::RawJson;
use crate::message::{Content, Other, Reply};
use crate::provider::server_tool::{json as value_of, server_tool_methods, strings};
use crate::tool::ToolDefinition;

/// The tools of an MCP server that OpenAI connects to.
///
/// ```
/// use haft::openai::tools::{Mcp, McpApproval};
/// use haft::Toolkit;
///
/// let docs = Mcp::new("docs", "https://example.com/mcp")
///     .allowed_tools(["search"])
///     .require_approval(McpApproval::Never);
/// let kit: Toolkit = Toolkit::new().with(docs)?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// A token belongs into a toolkit, as here, and not into a request: a run's state keeps the tools of its request.
#[derive(Clone, Debug)]
pub struct Mcp(ToolDefinition);

/// Whether OpenAI asks before it calls a tool of an MCP server; see [`Mcp`] and [`answer_mcp_approval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum McpApproval {
    /// Each time: the API's default.
    Always,
    /// Never.
    Never,
}

impl Mcp {
    /// The server at an address, by a label of the program's own.
    #[must_use]
    pub fn new(label: impl Into<String>, url: impl Into<String>) -> Self {
        Self::labelled(label.into()).option("server_url", url.into())
    }

    /// A service that OpenAI has a connector for, such as `connector_gmail`.
    #[must_use]
    pub fn connector(label: impl Into<String>, id: impl Into<String>) -> Self {
        Self::labelled(label.into()).option("connector_id", id.into())
    }

    fn labelled(label: String) -> Self {
        let tool = definition("mcp", &label);
        let named = tool.renamed(name_of(&label));
        let tool = named.unwrap_or_else(|_| definition("mcp", "mcp"));
        Self(tool).option("server_label", label)
    }

    /// Only these tools of it.
    #[must_use]
    pub fn allowed_tools<T: Into<String>>(self, tools: impl IntoIterator<Item = T>) -> Self {
        self.option("allowed_tools", strings(tools))
    }

    /// Whether the program is asked before a call. Default: always.
    #[must_use]
    pub fn require_approval(self, approval: McpApproval) -> Self {
        self.option("require_approval", value_of(approval))
    }

    /// A token, sent to the server as its OAuth access token.
    #[must_use]
    pub fn authorization(self, token: impl Into<String>) -> Self {
        self.option("authorization", token.into())
    }

    /// Further headers for the server.
    #[must_use]
    pub fn headers<K: Into<String>, V: Into<String>>(
        self,
        headers: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let headers = headers.into_iter();
        let headers = headers.map(|(name, value)| (name.into(), Value::from(value.into())));
        self.option("headers", Value::Object(headers.collect()))
    }

    /// What the server is for, which the model reads.
    #[must_use]
    pub fn server_description(self, text: impl Into<String>) -> Self {
        self.option("server_description", text.into())
    }
}

server_tool_methods!(Mcp);

/// A label as the name by which the program knows the tools: what cannot be in one is `_`.
fn name_of(label: &str) -> String {
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let name = label.chars().map(|it| if fits(it) { it } else { '_' });
    name.take(64).collect()
}

/// The answers to what OpenAI asks before it calls tools of MCP servers: for each request in the reply, what `decide` says.
/// They go into the next message; without such requests there are none.
///
/// ```
/// use haft::openai::tools::answer_mcp_approval;
/// use haft::{Message, Role, Runner};
///
/// # async fn example(mut runner: Runner) -> Result<(), haft::Error> {
/// let mut end = runner.run_to_completion().await?;
/// loop {
///     let answers = answer_mcp_approval(&end.reply, |request| request["name"] == "search");
///     if answers.is_empty() {
///         break;
///     }
///     runner.append_messages([Message::new(Role::User, answers)]);
///     end = runner.run_to_completion().await?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// `decide` is given the request as the API has it: `name` is the tool, `arguments` its arguments as text, `server_label`
/// the server.
pub fn answer_mcp_approval(reply: &Reply, mut decide: impl FnMut(&Value) -> bool) -> Vec<Content> {
    let is_request = |other: &&Other| other.api == API && other.kind == "mcp_approval_request";
    let others = reply.content().iter().filter_map(Content::as_other);
    let answers = others.filter(is_request).map(|other| {
        let request = other.json.to_value();
        let approve = decide(&request);
        let answer = json!({
            "type": "mcp_approval_response",
            "approval_request_id": request.get("id"),
            "approve": approve,
        });
        Content::other(API, RawJson::from(answer))
    });
    answers.collect()
}
