//! [`Api`]: whose form a message or a block has.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

/// The name of an API, which tells whose form a message or a block has. As serde data, a string.
///
/// ```
/// use haft::Api;
///
/// assert_eq!(Api::ANTHROPIC_MESSAGES.as_str(), "anthropic-messages");
/// assert_eq!(Api::new("my-gateway").to_string(), "my-gateway");
/// ```
#[derive(Clone, Debug, Eq, Serialize, Deserialize)]
pub struct Api(Cow<'static, str>);

impl Api {
    /// Anthropic's Messages API.
    pub const ANTHROPIC_MESSAGES: Self = Self(Cow::Borrowed("anthropic-messages"));
    /// OpenAI's Responses API.
    pub const OPENAI_RESPONSES: Self = Self(Cow::Borrowed("openai-responses"));
    /// The chat completions API, of OpenAI and of all servers that speak it.
    pub const OPENAI_CHAT: Self = Self(Cow::Borrowed("openai-chat"));
    /// The models of [`testing`](crate::testing), which stand behind no API.
    pub const TESTING: Self = Self(Cow::Borrowed("testing"));

    /// Another API, in a constant.
    #[must_use]
    pub const fn new_static(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// Another API.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// By name; asked for each message at each turn, where both are mostly the same constant.
impl PartialEq for Api {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.as_str(), other.as_str()) || self.as_str() == other.as_str()
    }
}

impl Hash for Api {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
