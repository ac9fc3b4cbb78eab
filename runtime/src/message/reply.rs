//! [`Reply`]: one answer of a model, with all that came with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Content, Message, Role, StopReason, ToolCall, Usage};
use crate::json::RawJson;

/// One answer of a model. Cloning is cheap.
///
/// It is serde data, for keeping runs, with all that its methods give.
///
/// ```
/// use haft::Reply;
///
/// fn log(reply: &Reply) {
///     println!("{} (ended with {})", reply.text(), reply.stop_reason());
///     for call in reply.tool_calls() {
///         println!("calls {} with {}", call.name(), call.input());
///     }
///     // What haft has no word for is in the reply as it came.
///     println!("{} tokens, {}", reply.usage().output, reply.raw().to_value()["service_tier"]);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reply(Arc<ReplyParts>);

/// What a reply is made of; codecs and scripted models fill it in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReplyParts {
    pub(crate) message: Message,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) id: String,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(crate) model: String,
    pub(crate) stop_reason: StopReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refusal: Option<Refusal>,
    #[serde(default)]
    pub(crate) usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request_id: Option<String>,
    /// The provider's container that the reply worked in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) container: Option<String>,
    #[serde(default = "RawJson::empty_object")]
    pub(crate) raw: RawJson,
}

/// What a provider says of a refusal. It is serde data, as the [`Reply`] that it is of.
///
/// ```
/// use haft::{Outcome, Refusal};
///
/// fn explanation(refusal: &Refusal) -> &str {
///     refusal.explanation.as_deref().unwrap_or("the provider does not say why")
/// }
///
/// fn log(outcome: &Outcome) {
///     if let Outcome::Refused { details: Some(refusal), .. } = outcome {
///         eprintln!("refused: {}", explanation(refusal));
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The kind of content that was refused, in the provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The reason, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

impl Reply {
    /// What it is made of, to be changed while it is put together.
    fn parts(&mut self) -> &mut ReplyParts {
        Arc::make_mut(&mut self.0)
    }

    pub(crate) fn from_parts(parts: ReplyParts) -> Self {
        Self(Arc::new(parts))
    }

    /// A reply of a provider of one's own; its id, model and tokens are added by the `with_` methods.
    ///
    /// ```
    /// use haft::{Message, Reply, StopReason};
    ///
    /// let reply = Reply::new(Message::assistant("Hello!"), StopReason::EndTurn).with_model("parrot");
    /// assert_eq!((reply.text().as_str(), reply.model()), ("Hello!", "parrot"));
    /// ```
    #[must_use]
    pub fn new(message: Message, stop_reason: StopReason) -> Self {
        let mut reply = Self::empty();
        reply.parts().message = message;
        reply.parts().stop_reason = stop_reason;
        reply
    }

    /// With the provider's id of it.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.parts().id = id.into();
        self
    }

    /// With the model that answered.
    #[must_use]
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        self.parts().model = model.into();
        self
    }

    /// With the tokens that it took.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.parts().usage = usage;
        self
    }

    /// With the id of the request that it answers.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.parts().request_id = Some(id.into());
        self
    }

    pub(crate) fn with_message(mut self, message: Message) -> Self {
        self.parts().message = message;
        self
    }

    pub(crate) fn with_container(mut self, container: Option<String>) -> Self {
        self.parts().container = container;
        self
    }

    /// With the reply as the API sent it.
    #[must_use]
    pub fn with_raw(mut self, raw: RawJson) -> Self {
        self.parts().raw = raw;
        self
    }

    /// Stands where no reply came.
    pub(crate) fn empty() -> Self {
        Self::from_parts(ReplyParts {
            message: Message::new(Role::Assistant, Vec::new()),
            id: String::new(),
            model: String::new(),
            stop_reason: StopReason::Other("none".to_owned()),
            refusal: None,
            usage: Usage::default(),
            request_id: None,
            container: None,
            raw: RawJson::empty_object(),
        })
    }

    /// What the model said, as an entry of the history.
    #[must_use]
    pub fn message(&self) -> &Message {
        &self.0.message
    }

    /// The content blocks, in order.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        self.0.message.content()
    }

    /// The text blocks, joined.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.message.text()
    }

    /// The calls of tools, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.0.message.tool_calls()
    }

    /// The provider's id of the reply; empty where it gave none.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The model that answered, as the provider names it.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.0.model
    }

    /// Why the model stopped.
    #[must_use]
    pub fn stop_reason(&self) -> &StopReason {
        &self.0.stop_reason
    }

    /// What the provider says of a refusal, after [`StopReason::Refusal`].
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.as_ref()
    }

    /// The tokens it took.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.0.usage
    }

    /// The id of the request that it answers, for the provider's support.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// The id of the provider's container that it worked in, such as that of a code execution tool. A run carries it
    /// on by itself.
    #[must_use]
    pub fn container(&self) -> Option<&str> {
        self.0.container.as_deref()
    }

    /// The reply as the API sent it.
    #[must_use]
    pub fn raw(&self) -> &RawJson {
        &self.0.raw
    }
}
