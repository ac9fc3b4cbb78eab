//! The shapes of the Messages API, as serde types: what is read, and what is written.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A reply. What is not listed stays in the reply's raw JSON.
#[derive(Deserialize)]
pub(super) struct Reply<'a> {
    #[serde(default)]
    pub(super) id: String,
    #[serde(default)]
    pub(super) model: String,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) stop_reason: Option<Value>,
    #[serde(borrow)]
    pub(super) stop_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) container: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Container {
    pub(super) id: String,
}

#[derive(Deserialize)]
pub(super) struct StopDetails {
    pub(super) category: Option<String>,
    pub(super) explanation: Option<String>,
}

/// Any content block: the fields of all kinds that have a neutral form. One type, so that a block is read in one pass.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) text: Option<String>,
    pub(super) thinking: Option<String>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    pub(super) tool_use_id: Option<String>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) is_error: Option<bool>,
    #[serde(borrow)]
    pub(super) source: Option<&'a RawValue>,
    pub(super) title: Option<String>,
    pub(super) toolset_name: Option<String>,
}

/// Of a block, only what it is.
#[derive(Deserialize)]
pub(super) struct Kind {
    #[serde(rename = "type")]
    pub(super) kind: String,
}

/// The source of an image or document; other kinds of source have no neutral form.
#[derive(Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Source {
    Base64 { media_type: String, data: String },
    Url { url: String },
    File { file_id: String },
    Text { media_type: String, data: String },
}

/// An error answer. `error` is an object in this API, and text at some servers that speak it.
#[derive(Deserialize)]
pub(super) struct ErrorBody {
    pub(super) error: Option<ErrorDetail>,
    pub(super) message: Option<String>,
    pub(super) request_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ErrorDetail {
    Full {
        #[serde(rename = "type")]
        kind: Option<String>,
        message: Option<String>,
        #[serde(default)]
        details: Option<Value>,
    },
    Text(String),
}

/// An event of a stream: the fields of all kinds that are looked at here. One type, so that an event is read in one
/// pass.
#[derive(Deserialize)]
pub(super) struct Event<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<EventKind>,
    pub(super) index: Option<u64>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content_block: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum EventKind {
    MessageStart,
    ContentBlockStart,
    ContentBlockDelta,
    ContentBlockStop,
    MessageDelta,
    MessageStop,
    Ping,
    Error,
    #[serde(other)]
    Unknown,
}

/// What is added to a block, of all kinds. (The `delta` of a `message_delta` has none of these fields.)
#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<DeltaKind>,
    pub(super) text: Option<String>,
    pub(super) thinking: Option<String>,
    pub(super) partial_json: Option<String>,
    #[serde(borrow)]
    pub(super) signature: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) citation: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) encrypted_content: Option<&'a RawValue>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum DeltaKind {
    TextDelta,
    ThinkingDelta,
    SignatureDelta,
    InputJsonDelta,
    CitationsDelta,
    CompactionDelta,
    #[serde(other)]
    Unknown,
}

/// Of an event, only what it is: for one whose other fields are not what they are in the known ones.
#[derive(Deserialize)]
pub(super) struct EventOutline<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<EventKind>,
    #[serde(borrow)]
    pub(super) delta: Option<&'a RawValue>,
}

/// Of a delta, only what it is.
#[derive(Deserialize)]
pub(super) struct DeltaOutline {
    #[serde(rename = "type")]
    pub(super) kind: Option<DeltaKind>,
}

/// A message of a request body: all keys, since those that are not read go out again.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    pub(super) role: String,
    #[serde(borrow)]
    pub(super) content: &'a RawValue,
    #[serde(flatten)]
    pub(super) rest: Map<String, Value>,
}

/// A content block as it is written, where there is none to echo.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutBlock<'a> {
    Text {
        text: &'a str,
        #[serde(flatten)]
        options: OutOptions<'a>,
    },
    Image {
        source: Source,
        #[serde(flatten)]
        options: OutOptions<'a>,
    },
    Document {
        source: Source,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        #[serde(flatten)]
        options: OutOptions<'a>,
    },
    SearchResult {
        source: &'a str,
        title: &'a str,
        content: Vec<Self>,
        #[serde(flatten)]
        options: OutOptions<'a>,
    },
}

/// Further fields of a block.
pub(super) type OutOptions<'a> = Option<&'a Map<String, Value>>;

/// A function as it is offered.
#[derive(Serialize)]
pub(super) struct OutTool<'a> {
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) description: &'a str,
    pub(super) input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) strict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_examples: Option<Value>,
    #[serde(flatten)]
    pub(super) options: &'a Map<String, Value>,
}

/// What a reply is to be.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutFormat<'a> {
    JsonSchema { schema: &'a Value },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutToolChoice<'a> {
    Auto {
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    Any {
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    Tool {
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        disable_parallel_tool_use: Option<bool>,
    },
    None,
}
