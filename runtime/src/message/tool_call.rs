//! [`ToolCall`] and [`ToolResult`]: what the model asks for, and what it is told.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Content;
use super::content::joined_text;
use crate::json::RawJson;

/// The model's wish to have a tool run.
///
/// It is serde data, for keeping conversations: `{"id": ..., "name": ..., "input": {...}}`, the input as the model wrote
/// it (`"input_text": "..."` where that is no JSON).
///
/// ```
/// use haft::{RawJson, ToolCall};
///
/// let call = ToolCall::new("toolu_1", "get_weather", RawJson::parse(r#"{"city":"Tokyo"}"#)?);
/// assert_eq!(call.input().as_str(), r#"{"city":"Tokyo"}"#);
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolCall {
    identity: Arc<Identity>,
    input: RawJson,
}

/// Which call: its id, and the name of its tool. Shared by the call, its context and its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) id: String,
    pub(crate) name: String,
    /// How the model has named it, where that is not the name.
    pub(crate) wire: Option<Box<WireName>>,
}

/// How a model names a tool that its API defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WireName {
    pub(crate) name: String,
    /// The set that the name is a member's of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) toolset: Option<String>,
    /// What the answer to this call says of itself at its API, beside what it comes to.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) answer: Map<String, Value>,
}

impl Identity {
    pub(crate) fn new(id: impl Into<String>, name: impl Into<String>) -> Arc<Self> {
        Self::named(id.into(), name.into(), None)
    }

    /// With the name that the model has used.
    pub(crate) fn named(id: String, name: String, wire: Option<WireName>) -> Arc<Self> {
        let wire = wire.map(Box::new);
        Arc::new(Self { id, name, wire })
    }

    /// The name that the model knows.
    pub(crate) fn wire_name(&self) -> &str {
        self.wire.as_ref().map_or(&self.name, |wire| &wire.name)
    }

    pub(crate) fn toolset(&self) -> Option<&str> {
        self.wire.as_ref()?.toolset.as_deref()
    }

    /// What the answer says of itself at the API of the call.
    pub(crate) fn answer(&self) -> Option<&Map<String, Value>> {
        let answer = &self.wire.as_ref()?.answer;
        (!answer.is_empty()).then_some(answer)
    }

    /// The same, whose answer says so of itself.
    pub(crate) fn answered_by(&self, answer: Map<String, Value>) -> Arc<Self> {
        let wire = self.wire.as_deref().cloned();
        let wire = wire.unwrap_or_else(|| WireName {
            name: self.name.clone(),
            toolset: None,
            answer: Map::new(),
        });
        let wire = WireName { answer, ..wire };
        Self::named(self.id.clone(), self.name.clone(), Some(wire))
    }
}

impl ToolCall {
    /// A call, as a provider or a test makes it.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: RawJson) -> Self {
        Self {
            identity: Identity::new(id, name),
            input,
        }
    }

    /// A call by the name that the model has used.
    pub(crate) const fn of_identity(identity: Arc<Identity>, input: RawJson) -> Self {
        Self { identity, input }
    }

    /// The same as a call of a toolset's member: by the name that the API has for the set, and by the member's.
    ///
    /// ```
    /// use haft::{RawJson, ToolCall};
    ///
    /// let call = ToolCall::new("toolu_1", "desk", RawJson::empty_object());
    /// let call = call.of_toolset("computer", "screenshot");
    /// assert_eq!((call.name(), call.wire_name()), ("desk", "screenshot"));
    /// assert_eq!(call.toolset(), Some("computer"));
    /// ```
    #[must_use]
    pub fn of_toolset(self, toolset: impl Into<String>, member: impl Into<String>) -> Self {
        let Identity { id, name, .. } = &*self.identity;
        let wire = WireName {
            name: member.into(),
            toolset: Some(toolset.into()),
            answer: Map::new(),
        };
        let identity = Identity::named(id.clone(), name.clone(), Some(wire));
        Self::of_identity(identity, self.input)
    }

    /// The same call by another id.
    pub(crate) fn with_id(&self, id: String) -> Self {
        let Identity { name, wire, .. } = &*self.identity;
        let identity = Identity::named(id, name.clone(), wire.as_deref().cloned());
        Self::of_identity(identity, self.input.clone())
    }

    /// The same call with other arguments.
    pub(crate) fn with_input(&self, input: RawJson) -> Self {
        Self {
            identity: Arc::clone(&self.identity),
            input,
        }
    }

    /// A call with the arguments as text, which may be no JSON: a model that is not constrained may write anything.
    ///
    /// Such a call is not run: its result tells the model what is wrong and where. Nothing at all (empty text, `null`
    /// and `""`) is the empty object, as everywhere.
    ///
    /// ```
    /// # use haft::tool;
    /// use haft::{ToolCall, Toolkit, toolkit};
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let call = ToolCall::from_text("call_1", "add", r#"{"a": 2, "b": 3,}"#);
    /// assert_eq!(call.input().as_str(), r#"{"a": 2, "b": 3,}"#);
    /// assert!(!call.input().is_json() && call.input().to_value().is_null());
    /// let kit: Toolkit = toolkit![add];
    /// assert_eq!(
    ///     kit.run(&call).await.text(),
    ///     "Error: Invalid input for tool 'add': not JSON: trailing comma, near `{\"a\": 2, \"b\": 3,}`"
    /// );
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn from_text(
        id: impl Into<String>,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::new(id, name, RawJson::from_text(text.into()))
    }

    pub(crate) const fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }

    /// The call's id, unique within its reply.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.identity.id
    }

    /// The name of the tool: its key in the toolkit. (In a history that was read from a request body, the API's.)
    #[must_use]
    pub fn name(&self) -> &str {
        &self.identity.name
    }

    /// The name that the model has used: the tool's own, but for a tool that the API defines. Of a toolset's member, it
    /// is the member's.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        self.identity.wire_name()
    }

    /// The toolset that the called name is a member's of, such as `computer`.
    #[must_use]
    pub fn toolset(&self) -> Option<&str> {
        self.identity.toolset()
    }

    /// The arguments as the model wrote them: JSON, unless [`is_json`](RawJson::is_json) says otherwise.
    #[must_use]
    pub fn input(&self) -> &RawJson {
        &self.input
    }
}

/// What a call came to.
///
/// It is serde data, for keeping conversations, with all that its methods give.
///
/// ```
/// # async fn example(kit: haft::Toolkit) {
/// let result = kit.call("get_weather", haft::serde_json::json!({"city": "Tokyo"})).await;
/// assert!(!result.is_error());
/// println!("{}", result.text());
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolResult {
    identity: Arc<Identity>,
    content: Vec<Content>,
    structured: Option<Box<Value>>,
    is_error: bool,
}

impl ToolResult {
    /// A result, as a provider or a test makes it.
    #[must_use]
    pub fn new(call: &ToolCall, content: Vec<Content>) -> Self {
        Self::with_parts(Arc::clone(&call.identity), content, false)
    }

    /// A failure, told to the model in these words.
    #[must_use]
    pub fn error(call: &ToolCall, text: impl Into<String>) -> Self {
        Self::with_parts(Arc::clone(&call.identity), vec![Content::text(text)], true)
    }

    pub(crate) fn with_parts(
        identity: Arc<Identity>,
        content: Vec<Content>,
        is_error: bool,
    ) -> Self {
        Self {
            identity,
            content,
            structured: None,
            is_error,
        }
    }

    pub(crate) fn with_structured(mut self, structured: Option<Box<Value>>) -> Self {
        self.structured = structured;
        self
    }

    /// The id of the call that this answers.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.identity.id
    }

    /// The name of the tool; empty in a history that was read from a request body, which does not tell it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.identity.name
    }

    /// The toolset that the called tool is a member of.
    pub(crate) fn toolset(&self) -> Option<&str> {
        self.identity.toolset()
    }

    pub(crate) const fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }

    /// What the model is told.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.content
    }

    /// The text of the content.
    #[must_use]
    pub fn text(&self) -> String {
        joined_text(&self.content)
    }

    /// The value that the tool returned in [`Json`](crate::Json), for programs that look at the result.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        self.structured.as_deref()
    }

    /// Whether the call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id())
            .field("name", &self.name())
            .field("input", &self.input)
            .finish()
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolResult")
            .field("call_id", &self.call_id())
            .field("name", &self.name())
            .field("content", &self.content)
            .field("structured", &self.structured)
            .field("is_error", &self.is_error)
            .finish()
    }
}
