//! [`StopReason`]: why a reply ended.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why the model stopped, in the words that all APIs share.
///
/// What an API says that is not known here is kept as [`Other`](Self::Other): APIs add reasons at any time.
/// As serde data it is the word of [`as_str`](Self::as_str).
///
/// ```
/// use haft::StopReason;
///
/// assert_eq!(StopReason::ToolUse.as_str(), "tool_use");
/// assert_eq!(StopReason::Other("out_of_ink".into()).to_string(), "out_of_ink");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said all.
    EndTurn,
    /// The model wants tools to be run.
    ToolUse,
    /// The reply reached the request's `max_tokens`; its last call may be incomplete.
    MaxTokens,
    /// One of the request's `stop_sequences` came.
    StopSequence,
    /// A server tool's loop paused: the conversation is to be sent back as it is.
    PauseTurn,
    /// The history was summarised by the server.
    Compaction,
    /// The model refused.
    Refusal,
    /// The model's context is full.
    ContextFull,
    /// Anything else, in the API's own word.
    Other(String),
}

impl StopReason {
    /// The reason as a word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "end_turn",
            Self::ToolUse => "tool_use",
            Self::MaxTokens => "max_tokens",
            Self::StopSequence => "stop_sequence",
            Self::PauseTurn => "pause_turn",
            Self::Compaction => "compaction",
            Self::Refusal => "refusal",
            Self::ContextFull => "model_context_window_exceeded",
            Self::Other(word) => word,
        }
    }
}

/// Those that are known by a word of their own.
const KNOWN: [StopReason; 8] = [
    StopReason::EndTurn,
    StopReason::ToolUse,
    StopReason::MaxTokens,
    StopReason::StopSequence,
    StopReason::PauseTurn,
    StopReason::Compaction,
    StopReason::Refusal,
    StopReason::ContextFull,
];

impl Serialize for StopReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for StopReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = KNOWN.into_iter().find(|reason| reason.as_str() == word);
        Ok(known.unwrap_or(Self::Other(word)))
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
