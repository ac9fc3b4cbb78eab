//! [`Message`]: one entry of a conversation, the same for every provider, and remembering the form it came in.

mod block_options;
mod content;
mod media;
mod other;
mod reply;
mod stop_reason;
mod stored;
mod tool_call;
mod usage;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use self::block_options::BlockOptions;
pub(crate) use self::content::sendable;
pub use self::content::{Content, Text, Thinking};
pub use self::media::{Document, Image, SearchResult, Source};
pub use self::other::Other;
pub(crate) use self::reply::ReplyParts;
pub use self::reply::{Refusal, Reply};
pub use self::stop_reason::StopReason;
pub(crate) use self::tool_call::{Identity, WireName};
pub use self::tool_call::{ToolCall, ToolResult};
pub use self::usage::Usage;
use crate::api::Api;
use crate::json::RawJson;

/// Who speaks in a [`Message`]. As serde data, `"user"` and so on.
///
/// ```
/// use haft::{Content, Message, Request, Role};
///
/// // What holds from the start is the request's `system`; what comes later is a message.
/// let later = Message::new(Role::System, vec![Content::text("The user has signed in.")]);
/// let request = Request::new("claude-opus-5-5").system("Be brief.").user("Hi").message(later);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// The user, and the results of tools.
    User,
    /// The model.
    Assistant,
    /// Instructions in mid-conversation, as text. Those at its start are the request's `system`.
    System,
}

/// One message of a conversation.
///
/// A message does not change once it is made, and cloning it is cheap. One that came from a provider (in a
/// [`Reply`] or a request body) keeps the JSON it came in, so that it goes back to that API whole, whatever fields
/// it had; for another API it is written anew from [`content`](Self::content).
///
/// It is serde data, for keeping conversations: `{"role": "user", "content": [{"text": "Hi"}]}`, and `native` with the
/// JSON that it came in. A message that is read again goes out as the same bytes. It is no API's form; for that see
/// [`Request::from_body`](crate::Request::from_body). Keep it as text: [`RawJson`] says why.
///
/// ```
/// use haft::{Message, Role};
///
/// let message = Message::user("What is the weather in Tokyo?");
/// assert_eq!(message.role(), Role::User);
/// assert_eq!(message.text(), "What is the weather in Tokyo?");
/// let kept = haft::serde_json::to_string(&message)?;
/// assert_eq!(haft::serde_json::from_str::<Message>(&kept)?, message);
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Message(Arc<Inner>);

struct Inner {
    role: Role,
    content: Vec<Content>,
    native: Option<Native>,
    /// Whether there is reasoning in it, which not every model is sent.
    has_reasoning: bool,
    /// Whether a block names a file that was uploaded before.
    has_files: bool,
    /// Whether a block has no neutral form.
    has_others: bool,
}

/// The form in which a message came from a provider.
#[derive(Clone, Debug)]
pub(crate) struct Native {
    /// The API whose form it is.
    pub(crate) api: Api,
    /// The model that was asked: reasoning goes back only to it.
    pub(crate) model: String,
    /// The message's own keys beside its content, where it came as a whole object with more than a role.
    pub(crate) frame: Option<RawJson>,
    /// The blocks, one for each of the message's `content`.
    pub(crate) blocks: Vec<RawJson>,
}

impl Message {
    /// A message of the given content.
    ///
    /// ```
    /// use haft::{Content, Message, Role};
    ///
    /// let picture = Content::image_url("https://example.com/cat.png");
    /// let message = Message::new(Role::User, vec![picture, Content::text("Which breed is it?")]);
    /// assert_eq!(message.text(), "Which breed is it?");
    /// ```
    #[must_use]
    pub fn new(role: Role, content: Vec<Content>) -> Self {
        Self::with_native(role, content, None)
    }

    /// A user's message.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Content::text(text)])
    }

    /// A message of the model, such as one of an imported history.
    ///
    /// ```
    /// use haft::{Message, Request};
    ///
    /// // A conversation that was held elsewhere, or an example of what is wanted.
    /// let history = [Message::user("2 and 3?"), Message::assistant("5")];
    /// let request = Request::new("claude-opus-5-5").messages(history).user("And 4 and 4?");
    /// assert_eq!(request.messages.len(), 3);
    /// ```
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, vec![Content::text(text)])
    }

    pub(crate) fn with_native(role: Role, content: Vec<Content>, native: Option<Native>) -> Self {
        Self(Arc::new(Inner {
            role,
            has_reasoning: content.iter().any(Content::is_reasoning),
            has_files: content.iter().any(Content::has_file),
            has_others: content.iter().any(|block| block.as_other().is_some()),
            content,
            native,
        }))
    }

    /// Who speaks.
    #[must_use]
    pub fn role(&self) -> Role {
        self.0.role
    }

    /// What is said: the content blocks, in order.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.0.content
    }

    /// The text blocks, joined.
    #[must_use]
    pub fn text(&self) -> String {
        content::joined_text(self.content())
    }

    /// The calls of tools in it, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content().iter().filter_map(Content::as_tool_call)
    }

    /// The results of tools in it, in order.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.content().iter().filter_map(Content::as_tool_result)
    }

    /// Whether nothing is in it that an API would take: no block, or only blank text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.content().iter().all(Content::is_blank_text)
    }

    /// Whether both are the same entry of a history, and not only equal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The form it came in, if it came from this API.
    pub(crate) fn native(&self, api: &Api) -> Option<&Native> {
        self.0.native.as_ref().filter(|native| native.api == *api)
    }

    /// Its calls as they came from an API.
    pub(crate) fn native_calls(&self) -> impl Iterator<Item = &RawJson> {
        let native = self.0.native.iter().flat_map(|native| &native.blocks);
        let blocks = self.content().iter().zip(native);
        blocks.filter_map(|(block, json)| block.as_tool_call().map(|_| json))
    }

    /// The message without its last block.
    pub(crate) fn without_last(&self) -> Self {
        let length = self.content().len().saturating_sub(1);
        let places: Vec<_> = (0..length).collect();
        self.pick(&places)
    }

    /// The blocks at these places, in this order; the same entry where they are all there as they are.
    pub(crate) fn pick(&self, places: &[usize]) -> Self {
        if places.iter().copied().eq(0..self.content().len()) {
            return self.clone();
        }
        let native = self.0.native.as_ref().map(|native| Native {
            api: native.api.clone(),
            model: native.model.clone(),
            frame: native.frame.clone(),
            blocks: pick(&native.blocks, places),
        });
        Self::with_native(self.role(), pick(self.content(), places), native)
    }

    pub(crate) fn has_reasoning(&self) -> bool {
        self.0.has_reasoning
    }

    pub(crate) fn has_files(&self) -> bool {
        self.0.has_files
    }

    /// Its blocks without a neutral form. Of most messages, which have none, none is looked at.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Other> {
        let content = self.0.has_others.then(|| self.content());
        content
            .unwrap_or_default()
            .iter()
            .filter_map(Content::as_other)
    }
}

fn pick<T: Clone>(blocks: &[T], places: &[usize]) -> Vec<T> {
    let picked = places.iter().filter_map(|at| blocks.get(*at));
    picked.cloned().collect()
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("role", &self.role())
            .field("content", &self.content())
            .finish_non_exhaustive()
    }
}

/// Equal in what is said; the form it came in does not count.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.role() == other.role() && self.content() == other.content()
    }
}
