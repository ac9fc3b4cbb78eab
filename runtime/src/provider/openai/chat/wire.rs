//! The shapes of the chat completions API, as serde types: what is read, and what is written.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A reply. What is not listed stays in the reply's raw JSON.
#[derive(Deserialize)]
pub(super) struct Completion<'a> {
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(borrow)]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    pub(super) finish_reason: Option<Value>,
}

/// What a message says of a call. `arguments` is text, but an object from some servers; so is `id`, but a number.
#[derive(Deserialize)]
pub(super) struct Call<'a> {
    pub(super) id: Option<Value>,
    #[serde(borrow)]
    pub(super) function: Option<Function<'a>>,
    #[serde(borrow)]
    pub(super) custom: Option<Custom<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Function<'a> {
    pub(super) name: Option<String>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Custom<'a> {
    pub(super) name: Option<String>,
    #[serde(borrow)]
    pub(super) input: Option<Cow<'a, str>>,
}

/// The call of a tool that takes text, if it is one: some servers send both objects, one of them without a word in it.
pub(super) fn custom(custom: Option<Custom<'_>>, has_function: bool) -> Option<Custom<'_>> {
    let says = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
    custom.filter(|custom| {
        !has_function || says(custom.name.as_deref()) || says(custom.input.as_deref())
    })
}

/// A part of a content that is a list: the fields of all kinds that have a neutral form.
#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) text: Option<String>,
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    pub(super) image_url: Option<ImageUrl>,
    pub(super) file: Option<File>,
}

/// An address, which some clients give without the object around it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ImageUrl {
    Object { url: String },
    Text(String),
}

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) file_id: Option<String>,
    pub(super) file_data: Option<String>,
    pub(super) filename: Option<String>,
}

/// One chunk of a stream: the fields that are looked at here. One type, so that a chunk is read in one pass.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow)]
    pub(super) choices: Option<Vec<ChunkChoice<'a>>>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct ChunkChoice<'a> {
    #[serde(default)]
    pub(super) index: Option<u64>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
    pub(super) finish_reason: Option<Value>,
    #[serde(borrow)]
    pub(super) logprobs: Option<&'a RawValue>,
}

/// What is added to a message.
#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(default, borrow, deserialize_with = "raw")]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) reasoning_details: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub(super) refusal: Option<&'a RawValue>,
    pub(super) tool_calls: Option<Vec<CallDelta<'a>>>,
    #[serde(borrow)]
    pub(super) annotations: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) audio: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) images: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

/// A field that is there: null is its value then.
fn raw<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// What is added to a call, of which any field may be missing.
#[derive(Deserialize)]
pub(super) struct CallDelta<'a> {
    pub(super) index: Option<Value>,
    pub(super) id: Option<Value>,
    #[serde(borrow)]
    pub(super) function: Option<Function<'a>>,
    #[serde(borrow)]
    pub(super) custom: Option<Custom<'a>>,
    #[serde(borrow)]
    pub(super) extra_content: Option<&'a RawValue>,
}

/// A message of a request body, as far as it is looked at; its other keys go out again.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    pub(super) role: String,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) tool_call_id: Option<String>,
}

/// A message as it is written, where there is none to echo.
#[derive(Serialize)]
pub(super) struct OutMessage<'a> {
    pub(super) role: &'static str,
    pub(super) content: Option<OutContent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning_content: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_call_id: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_calls: Vec<OutCall<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum OutContent<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<OutPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutPart<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(flatten)]
        options: Option<&'a Map<String, Value>>,
    },
    ImageUrl {
        image_url: OutImageUrl<'a>,
        #[serde(flatten)]
        options: Map<String, Value>,
    },
    File {
        file: OutFile<'a>,
        #[serde(flatten)]
        options: Option<&'a Map<String, Value>>,
    },
    /// A part that is JSON of this API already.
    #[serde(untagged)]
    Raw(&'a RawValue),
}

#[derive(Serialize)]
pub(super) struct OutImageUrl<'a> {
    pub(super) url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<Value>,
}

#[derive(Default, Serialize)]
pub(super) struct OutFile<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file_data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) filename: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
pub(super) struct OutCall<'a> {
    pub(super) id: Cow<'a, str>,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) function: OutFunctionCall<'a>,
}

#[derive(Serialize)]
pub(super) struct OutFunctionCall<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: Cow<'a, str>,
}
