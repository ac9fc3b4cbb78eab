//! [`Request`]: what a model is asked, provider-neutral.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::joined::Joined;
use crate::message::{Content, Message};
use crate::output::OutputSchema;
use crate::provider::Provider;
use crate::tool::ToolDefinition;
use crate::toolkit::{Entry, RequestTool};

/// What a model is asked: the model, the conversation so far, and how to answer.
///
/// The tools come from the toolkit that is given to the runner; only those that no code of the program runs by itself
/// are added here, by [`tool`](Self::tool).
///
/// It is serde data, for keeping a conversation with all that is asked of the model. It is no API's form; for that see
/// [`from_body`](Self::from_body). Keep it as text: [`RawJson`](crate::RawJson) says why.
///
/// ```
/// use haft::{Request, ToolChoice};
/// use haft::serde_json::json;
///
/// let request = Request::new("claude-opus-5-5")
///     .max_tokens(2048)
///     .system("Answer in one sentence.")
///     .user("What is the weather in Tokyo?")
///     .tool_choice(ToolChoice::Auto)
///     .option("thinking", json!({"type": "adaptive"}));
/// assert_eq!(request.messages.len(), 1);
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Request {
    /// The model, as the provider names it.
    pub model: String,
    /// The most tokens that a reply may have, in whichever field the API has them. Left out where not set, except on
    /// Anthropic, which requires it: 8192.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Instructions that stand before the conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<Content>,
    /// The conversation. A run adds to it.
    #[serde(default)]
    pub messages: Vec<Message>,
    /// Which tools the model may or must call; sent as it is at every turn. Not sent where not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether one reply may call several tools. Not sent where not set; providers then allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Texts at which the model is to stop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// What the replies are to be, if not text; see [`output`](Self::output).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputSchema>,
    /// Any other fields of the body; see [`option`](Self::option).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Arc<Vec<RequestTool>>,
    /// The messages as they were sent last.
    #[serde(skip)]
    pub(crate) joined: Joined,
}

/// Which tools the model may or must call. As serde data, `"any"`, `{"tool": "name"}` and so on.
///
/// Left unset, the model decides. [`Any`](Self::Any) and [`Tool`](Self::Tool) hold for every
/// request of a run, which then does not end by itself; so let them hold for the first reply only:
///
/// ```
/// use haft::{Error, Provider, Request, Runner, ToolChoice, Toolkit};
///
/// # async fn example(provider: impl Provider + 'static, kit: Toolkit) -> Result<(), Error> {
/// let request = Request::new("claude-opus-5-5").user("Rain?").tool_choice(ToolChoice::Any);
/// let mut runner = Runner::new(provider, kit, request);
/// runner.next_message().await?;
/// runner.request_mut().tool_choice = None;
/// let end = runner.run_to_completion().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// It must call some tool.
    Any,
    /// It must call this one.
    Tool(String),
    /// It must call none.
    None,
}

impl Request {
    /// A request to a model, without anything said yet.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            max_tokens: None,
            system: Vec::new(),
            messages: Vec::new(),
            tool_choice: None,
            parallel_tool_calls: None,
            stop_sequences: Vec::new(),
            output: None,
            tools: Arc::default(),
            options: Map::new(),
            joined: Joined::default(),
        }
    }

    /// Reads the body of a request to the provider's API as it came, from a log or another client.
    ///
    /// Its messages go out again as they are (a text as a list of one block), and so does every field that haft has no word for. Its function tools
    /// hold a place: the toolkit's tool of the same name takes it. `stream` is left out, since the runner's methods
    /// decide it.
    ///
    /// ```
    /// # #[cfg(feature = "anthropic")] fn example() -> Result<(), haft::Error> {
    /// use haft::{Request, anthropic::Anthropic};
    /// use haft::serde_json::json;
    ///
    /// let claude = Anthropic::builder().api_key("sk-ant-...").build()?;
    /// let request = Request::from_body(&claude, json!({
    ///     "model": "claude-opus-5-5",
    ///     "max_tokens": 1024,
    ///     "messages": [{"role": "user", "content": "Hello"}],
    /// }))?;
    /// assert_eq!(request.messages[0].text(), "Hello");
    /// # Ok(())
    /// # }
    /// # #[cfg(feature = "anthropic")] example().unwrap();
    /// ```
    ///
    /// # Errors
    /// Where it is no body of that API, or the provider has none.
    pub fn from_body(provider: &(impl Provider + ?Sized), body: Value) -> Result<Self, Error> {
        provider.read_request(body)
    }

    /// The most tokens that a reply may have.
    #[must_use]
    pub fn max_tokens(mut self, max_tokens: u64) -> Self {
        self.max_tokens = Some(max_tokens);
        self
    }

    /// Instructions that stand before the conversation; adds to those that are there.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system.push(Content::text(text));
        self
    }

    /// What the user says next.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message(Message::user(text))
    }

    /// One message more.
    #[must_use]
    pub fn message(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }

    /// The messages of a conversation so far; adds to those that are there.
    ///
    /// ```
    /// use haft::{Request, Runner};
    ///
    /// # fn example(runner: Runner) {
    /// // Asks about another conversation; `Runner::messages` is fit to be sent at any time.
    /// let request = Request::new("claude-opus-5-5")
    ///     .messages(runner.messages())
    ///     .user("Put this in one sentence.");
    /// # }
    /// ```
    #[must_use]
    pub fn messages(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.messages.extend(messages);
        self
    }

    /// Which tools the model may or must call.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// Whether one reply may call several tools.
    #[must_use]
    pub fn parallel_tool_calls(mut self, allowed: bool) -> Self {
        self.parallel_tool_calls = Some(allowed);
        self
    }

    /// Texts at which the model is to stop; adds to those that are there.
    #[must_use]
    pub fn stop_sequences<T: Into<String>>(
        mut self,
        sequences: impl IntoIterator<Item = T>,
    ) -> Self {
        self.stop_sequences
            .extend(sequences.into_iter().map(Into::into));
        self
    }

    /// What the model is to answer with: JSON of this type, which [`Reply::parse`](crate::Reply::parse) reads.
    ///
    /// The API keeps the model to the type's schema. What it cannot be told (see [`Dialect`](crate::Dialect)) stands in
    /// the descriptions, and still holds when the reply is read. Any type will do that derives `Deserialize` and
    /// `JsonSchema`, as [`#[argument]`](macro@crate::argument) has it: also an enum, or a list. Docs of the type and of
    /// its fields are read by the model.
    ///
    /// It holds for every reply of a run that is no call of a tool. Between turns, `runner.request_mut().output = None`
    /// takes it off, and [`OutputSchema::of`] makes another.
    ///
    /// Anthropic's API takes it in `output_config`. An [`option`](Self::option) of that name may say more, such as
    /// `effort`; a `format` in it is an error. It does not go together with citations. OpenAI's Responses take it in
    /// `text`, in the same way, and chat completions in `response_format`; both want an object, so an enum or a list is
    /// put into a field of a struct.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Request, Runner, Toolkit, argument};
    ///
    /// #[argument]
    /// #[derive(Debug, PartialEq)]
    /// struct Contact {
    ///     name: String,
    ///     /// Only digits, with the country's code.
    ///     phone: Option<String>,
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let request = Request::new("claude-opus-5-5")
    ///     .user("Who wrote this? \"Please call me back, Ada\"")
    ///     .output::<Contact>();
    /// // A real model is kept to the schema; this one is a script.
    /// let model = ScriptedModel::new().text(r#"{"name": "Ada"}"#);
    /// let end = Runner::new(model, Toolkit::new(), request).run_to_completion().await?;
    /// assert_eq!(end.reply.parse::<Contact>()?, Contact { name: "Ada".into(), phone: None });
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A type that the API cannot be told of (on Anthropic's: maps, recursive types, any JSON) is an error of the first
    /// request, before anything is sent, with the place in the schema.
    #[must_use]
    pub fn output<T: JsonSchema>(mut self) -> Self {
        self.output = Some(OutputSchema::of::<T>());
        self
    }

    /// A tool without a handler, sent after the toolkit's. A call of it suspends the run until
    /// [`Runner::decide`](crate::Runner::decide) answers it.
    ///
    /// For what the program itself must do, such as asking the user; see
    /// [`Decision`](crate::Decision) for the answer. A tool that can run by itself belongs in the
    /// toolkit.
    ///
    /// ```
    /// use haft::{Request, ToolDefinition};
    /// use haft::serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {"question": {"type": "string"}}});
    /// let ask = ToolDefinition::new("ask_user", "Ask the user.", schema)?;
    /// let request = Request::new("claude-opus-5-5").user("Plan my holiday.").tool(ask);
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn tool(self, definition: impl Into<ToolDefinition>) -> Self {
        self.with_tool(RequestTool {
            entry: Entry::Function(definition.into()),
            is_placeholder: false,
        })
    }

    /// Any other field of the body, as the API spells it. It replaces what haft would send in that
    /// field; null leaves the field out. `messages` and `stream` are not to be set so: sending is
    /// then an error.
    ///
    /// ```
    /// use haft::{Request, serde_json::json};
    ///
    /// let request = Request::new("claude-opus-5-5").option("metadata", json!({"user_id": "u1"}));
    /// ```
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.insert(key.into(), value.into());
        self
    }

    pub(crate) fn with_tool(mut self, tool: RequestTool) -> Self {
        Arc::make_mut(&mut self.tools).push(tool);
        self
    }
}

/// Of the options only the keys: there may be a token among the values.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("model", &self.model)
            .field("max_tokens", &self.max_tokens)
            .field("system", &self.system)
            .field("messages", &self.messages)
            .field("tool_choice", &self.tool_choice)
            .field("options", &self.options.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
