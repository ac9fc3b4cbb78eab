//! [`Content`]: one block of a message or of a tool's result.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::block_options::BlockOptions;
use super::media::{Document, Image, SearchResult, Source};
use super::other::Other;
use super::stored::words;
use super::{ToolCall, ToolResult};
use crate::api::Api;
use crate::json::RawJson;

/// One content block, provider-neutral.
///
/// What has no neutral form (a server tool's blocks, encrypted parts, kinds that are newer than this library) is
/// [`Other`](Self::Other), and goes back to its API as it came.
///
/// It and its parts are serde data, for keeping conversations: `{"text": "Look at this:"}`. That is no API's form.
///
/// ```
/// use haft::Content;
///
/// let block = Content::text("Look at this:");
/// assert_eq!(block.as_text(), Some("Look at this:"));
/// let image = Content::image_url("https://example.com/cat.png");
/// assert_eq!(image.as_text(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Image),
    /// A document.
    Document(Document),
    /// A passage with its source.
    SearchResult(SearchResult),
    /// The model's reasoning, as far as it is shown.
    Thinking(Thinking),
    /// The model calls a tool.
    ToolCall(ToolCall),
    /// What a tool gave back.
    ToolResult(ToolResult),
    /// A block that only its API understands.
    Other(Other),
}

/// Text for or from the model.
///
/// ```
/// use haft::Content;
///
/// let block = Content::text("Hello");
/// if let Content::Text(text) = &block {
///     assert_eq!(text.text, "Hello");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Text {
    /// The text.
    pub text: String,
    pub(crate) options: BlockOptions,
}

/// The model's reasoning. It goes back only to the API and model that it came from.
///
/// A program may show it; sending it back is haft's part.
///
/// ```
/// use haft::{Content, Reply};
///
/// fn reasoning(reply: &Reply) -> String {
///     let blocks = reply.content().iter();
///     let texts = blocks.filter_map(|block| match block {
///         Content::Thinking(thinking) => Some(thinking.text.as_str()),
///         _ => None,
///     });
///     texts.collect()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[non_exhaustive]
pub struct Thinking {
    /// What is shown of it; often empty.
    #[serde(deserialize_with = "words")]
    pub text: String,
}

impl Content {
    /// A text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text {
            text: text.into(),
            options: BlockOptions::default(),
        })
    }

    /// The model's reasoning, for a provider of one's own.
    ///
    /// ```
    /// use haft::{Content, Message, Role};
    ///
    /// let content = vec![Content::thinking("2 and 3 ..."), Content::text("5")];
    /// let message = Message::new(Role::Assistant, content);
    /// assert_eq!(message.text(), "5");
    /// ```
    #[must_use]
    pub fn thinking(text: impl Into<String>) -> Self {
        Self::Thinking(Thinking { text: text.into() })
    }

    /// A picture given in base64.
    #[must_use]
    pub fn image(media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        Self::Image(Image::new(media_type, base64))
    }

    /// A picture at an address.
    #[must_use]
    pub fn image_url(url: impl Into<String>) -> Self {
        Self::Image(Image {
            source: Source::Url(url.into()),
            options: BlockOptions::default(),
        })
    }

    /// A document.
    #[must_use]
    pub fn document(source: Source) -> Self {
        Self::Document(Document {
            source,
            title: None,
            options: BlockOptions::default(),
        })
    }

    /// A passage with its source.
    #[must_use]
    pub fn search_result(
        source: impl Into<String>,
        title: impl Into<String>,
        passages: Vec<String>,
    ) -> Self {
        Self::SearchResult(SearchResult {
            source: source.into(),
            title: title.into(),
            passages,
            options: BlockOptions::default(),
        })
    }

    /// A block that only one API understands, as JSON in its form; other APIs are not sent it.
    ///
    /// ```
    /// use haft::{Api, Content, RawJson};
    ///
    /// let json = RawJson::parse(r#"{"type":"tool_reference","tool_name":"get_weather"}"#)?;
    /// let block = Content::other(Api::ANTHROPIC_MESSAGES, json);
    /// # Ok::<(), haft::serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn other(api: Api, json: RawJson) -> Self {
        let kind = json
            .to_value()
            .get("type")
            .and_then(|kind| kind.as_str().map(str::to_owned));
        Self::Other(Other {
            api,
            kind: kind.unwrap_or_default(),
            json,
            tool: None,
        })
    }

    /// The text, if this is a text block.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// The call, if this is one.
    #[must_use]
    pub fn as_tool_call(&self) -> Option<&ToolCall> {
        match self {
            Self::ToolCall(call) => Some(call),
            _ => None,
        }
    }

    /// The result, if this is one.
    #[must_use]
    pub fn as_tool_result(&self) -> Option<&ToolResult> {
        match self {
            Self::ToolResult(result) => Some(result),
            _ => None,
        }
    }

    /// The block, if only its API understands it.
    pub(crate) const fn as_other(&self) -> Option<&Other> {
        match self {
            Self::Other(other) => Some(other),
            _ => None,
        }
    }

    /// Whether this is a text block in which nothing is said: no text, or only white space.
    pub(crate) fn is_blank_text(&self) -> bool {
        self.as_text().is_some_and(|text| text.trim().is_empty())
    }

    /// With a field that only some providers know, such as `cache_control` on Anthropic's API. Text, images, documents and
    /// search results take them; other blocks stay as they are.
    ///
    /// ```
    /// use haft::Content;
    /// use haft::serde_json::json;
    ///
    /// let manual = Content::text("...").option("cache_control", json!({"type": "ephemeral"}));
    /// ```
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let options = match &mut self {
            Self::Text(block) => &mut block.options,
            Self::Image(block) => &mut block.options,
            Self::Document(block) => &mut block.options,
            Self::SearchResult(block) => &mut block.options,
            _ => return self,
        };
        options.set(key.into(), value.into());
        self
    }

    /// Whether it names a file that was uploaded before, also in a result.
    pub(crate) fn has_file(&self) -> bool {
        match self {
            Self::Image(Image { source, .. }) | Self::Document(Document { source, .. }) => {
                matches!(source, Source::File(_))
            }
            Self::ToolResult(result) => result.content().iter().any(Self::has_file),
            _ => false,
        }
    }

    /// Whether this is the model's reasoning, shown or not.
    pub(crate) fn is_reasoning(&self) -> bool {
        match self {
            Self::Thinking(_) => true,
            Self::Other(other) => other.is_reasoning(),
            _ => false,
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// The text blocks among `content`, joined.
pub(crate) fn joined_text(content: &[Content]) -> String {
    content.iter().filter_map(Content::as_text).collect()
}

/// The blocks that an API takes, each with its place: it refuses an empty text anywhere, and white
/// space where no other text is.
pub(crate) fn sendable(content: &[Content]) -> impl Iterator<Item = (usize, &Content)> {
    let has_words = content
        .iter()
        .any(|block| block.as_text().is_some() && !block.is_blank_text());
    let is_sent = move |block: &Content| match block.as_text() {
        Some(text) => !text.is_empty() && (has_words || !block.is_blank_text()),
        None => true,
    };
    content
        .iter()
        .enumerate()
        .filter(move |(_, block)| is_sent(block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_texts_are_sent_only_beside_words() {
        let sent = |texts: &[&str]| {
            let content: Vec<_> = texts.iter().copied().map(Content::text).collect();
            sendable(&content).map(|(at, _)| at).collect::<Vec<_>>()
        };
        assert_eq!(sent(&["a", "", " ", "b"]), [0, 2, 3]);
        assert_eq!(sent(&[" ", "\n", ""]), Vec::<usize>::new());
    }
}
