//! Blocks that are more than text, and where their bytes are.

use serde::{Deserialize, Serialize};

use super::block_options::BlockOptions;

/// A picture.
///
/// ```
/// use haft::{Content, Message, Role};
///
/// // At an address where the provider can read it, else in base64: `Content::image`.
/// let picture = Content::image_url("https://example.com/cat.png");
/// let message = Message::new(Role::User, vec![picture, Content::text("Which breed is it?")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Image {
    /// Where its bytes are.
    pub source: Source,
    #[serde(default, skip_serializing_if = "BlockOptions::are_none")]
    pub(crate) options: BlockOptions,
}

impl Image {
    /// An image that stands in the message: its media type, and its bytes in base64.
    ///
    /// ```
    /// use haft::{Image, Source};
    ///
    /// let image = Image::new("image/png", "iVBORw0KGgo=");
    /// assert!(matches!(image.source, Source::Base64 { .. }));
    /// ```
    #[must_use]
    pub fn new(media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        Self {
            source: Source::Base64 {
                media_type: media_type.into(),
                data: base64.into(),
            },
            options: BlockOptions::default(),
        }
    }
}

/// A document, such as a PDF file.
///
/// ```
/// use haft::{Content, Source};
///
/// let mut block = Content::document(Source::Url("https://example.com/2026.pdf".into()));
/// if let Content::Document(document) = &mut block {
///     document.title = Some("Annual report".into());
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Document {
    /// Where its bytes are.
    pub source: Source,
    /// A title for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "BlockOptions::are_none")]
    pub(crate) options: BlockOptions,
}

/// A passage with its source. Better than one long text for what a search tool found, since the
/// model can say where each thing is from.
///
/// ```
/// use haft::{Content, tool};
///
/// /// Search the handbook.
/// #[tool]
/// async fn search_handbook(words: String) -> Vec<Content> {
///     let passages = vec!["Leave is asked for by mail.".into(), "30 days a year.".into()];
///     vec![Content::search_result("https://example.com/leave", "Leave", passages)]
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchResult {
    /// Where it was found: a URL or a name.
    pub source: String,
    /// Its title.
    pub title: String,
    /// Its text, in pieces.
    pub passages: Vec<String>,
    #[serde(default, skip_serializing_if = "BlockOptions::are_none")]
    pub(crate) options: BlockOptions,
}

/// Where the bytes of an image or document are.
///
/// ```
/// use haft::{Content, Source};
///
/// // What the provider can fetch need not be sent with each request ...
/// let by_address = Content::document(Source::Url("https://example.com/2026.pdf".into()));
/// // ... nor what was uploaded before.
/// let by_id = Content::document(Source::File("file_1".into()));
/// let here = Content::document(Source::Base64 {
///     media_type: "application/pdf".into(),
///     data: "JVBERi0xLjQK".into(),
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// Here, in base64.
    Base64 {
        /// Such as `image/png`.
        media_type: String,
        /// The bytes, in base64.
        data: String,
    },
    /// At an address that the provider can read.
    Url(String),
    /// In a file that was uploaded to the provider, by its id.
    File(String),
    /// Here, as plain text (documents only).
    Text(String),
}
