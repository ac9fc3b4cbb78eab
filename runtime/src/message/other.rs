//! [`Other`]: a block that only its API understands, and what a run has to know of it all the same.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::Api;
use crate::json::RawJson;

/// A block without a neutral form.
///
/// Nothing has to be done with it; a program that knows the API may look into it.
///
/// ```
/// use haft::{Api, Content, RawJson};
///
/// let json = RawJson::parse(r#"{"type":"container_upload","file_id":"file_1"}"#)?;
/// if let Content::Other(other) = Content::other(Api::ANTHROPIC_MESSAGES, json)
///     && other.kind == "container_upload"
/// {
///     assert_eq!(other.json.to_value()["file_id"], "file_1");
/// }
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Other {
    /// The API that it belongs to: for others it is left out.
    pub api: Api,
    /// The block's `type` there.
    pub kind: String,
    /// The block.
    pub json: RawJson,
    /// Of a call that the API runs itself, the tool's own name: its key in the toolkit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// What a run has to know. These are Anthropic's words; other APIs have nothing of the kind.
impl Other {
    /// Whether it is reasoning that is not shown.
    pub(crate) fn is_reasoning(&self) -> bool {
        self.kind == "redacted_thinking"
    }

    /// Whether it is a call that the API runs itself, whose result is another block.
    pub(crate) fn is_server_call(&self) -> bool {
        self.kind.ends_with("_tool_use")
    }

    /// The id of such a call.
    pub(crate) fn call_id(&self) -> Option<String> {
        self.is_server_call().then(|| self.field("id"))?
    }

    /// The id of the call that it is the result of.
    pub(crate) fn answered_call_id(&self) -> Option<String> {
        self.field("tool_use_id")
    }

    /// What it says in place of the messages before it, if that is what it is, and it has words.
    pub(crate) fn summary(&self) -> Option<Value> {
        if self.kind != "compaction" {
            return None;
        }
        let block = self.json.to_value();
        let words = ["content", "encrypted_content"];
        let words = words.map(|key| block.get(key).and_then(Value::as_str));
        let has_words = words.into_iter().flatten().any(|words| !words.is_empty());
        has_words.then_some(block)
    }

    fn field(&self, key: &str) -> Option<String> {
        let value = self.json.to_value();
        value.get(key)?.as_str().map(str::to_owned)
    }
}
