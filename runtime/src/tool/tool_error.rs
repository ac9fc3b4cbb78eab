//! [`ToolError`]: what a tool reports when it fails.

use std::error::Error as StdError;
use std::fmt;

use crate::error::chain;
use crate::message::Content;

/// A tool's failure: what the model is told, and the cause for the program.
///
/// Any [`std::error::Error`] becomes one by `?`; the model then reads its message and those of its sources,
/// `outer: inner`. It is no `std::error::Error` itself, which is what makes that conversion possible.
///
/// ```
/// use haft::ToolError;
///
/// fn read(path: &str) -> Result<String, ToolError> {
///     if path.contains("..") {
///         return Err(ToolError::new("the path must not contain `..`"));
///     }
///     Ok(std::fs::read_to_string(path)?)
/// }
///
/// assert_eq!(read("../secret").unwrap_err().to_string(), "the path must not contain `..`");
/// ```
pub struct ToolError(Box<Inner>);

struct Inner {
    kind: ToolErrorKind,
    message: String,
    content: Vec<Content>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Where in a call it failed; the texts for the model differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolErrorKind {
    /// The tool itself.
    Failed,
    /// The model's arguments.
    InvalidInput,
}

impl ToolError {
    /// A failure in the words that the model is to read.
    ///
    /// ```
    /// use haft::ToolError;
    ///
    /// // The model reads it and tries again, so it says what would work.
    /// let error = ToolError::new("no city `Tokio`; did you mean `Tokyo`?");
    /// assert_eq!(error.message(), "no city `Tokio`; did you mean `Tokyo`?");
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_kind(ToolErrorKind::Failed, message.into(), None)
    }

    /// A failure from anything that is an error or words for one: boxed errors, anyhow's, `String`.
    ///
    /// ```
    /// use haft::ToolError;
    ///
    /// let boxed: Box<dyn std::error::Error + Send + Sync> = "out of paper".into();
    /// assert_eq!(ToolError::from_error(boxed).to_string(), "out of paper");
    /// ```
    #[must_use]
    pub fn from_error(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let error = error.into();
        let message = chain(&*error);
        Self::with_kind(ToolErrorKind::Failed, message, Some(error))
    }

    /// What the model sent does not fit the tool's parameters: `problems`, one a line.
    pub(crate) fn invalid_input(problems: String) -> Self {
        Self::with_kind(ToolErrorKind::InvalidInput, problems, None)
    }

    fn with_kind(
        kind: ToolErrorKind,
        message: String,
        source: Option<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self(Box::new(Inner {
            kind,
            message,
            content: Vec::new(),
            source,
        }))
    }

    /// More for the model than words, such as a screenshot of the failure; sent after the message.
    ///
    /// ```
    /// use haft::{Content, ToolError};
    ///
    /// let error = ToolError::new("the button was not found")
    ///     .with_content([Content::image("image/png", "iVBORw0KGgo=")]);
    /// assert_eq!(error.content().len(), 1);
    /// ```
    #[must_use]
    pub fn with_content(mut self, content: impl IntoIterator<Item = Content>) -> Self {
        self.0.content.extend(content);
        self
    }

    /// What the model is told.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The blocks that go with the message.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.0.content
    }

    /// The error that this was made from.
    #[must_use]
    pub fn source(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.0.source.as_deref()
    }

    pub(crate) fn kind(&self) -> ToolErrorKind {
        self.0.kind
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("message", &self.0.message)
            .field("content", &self.0.content)
            .field("source", &self.0.source)
            .finish_non_exhaustive()
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::from_error(error)
    }
}
