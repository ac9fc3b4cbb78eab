//! The shapes of the Responses API, as serde types: what is read, and what is written.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A reply. What is not listed stays in the reply's raw JSON.
#[derive(Deserialize)]
pub(super) struct Response<'a> {
    #[serde(default, deserialize_with = "id")]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) model: Option<String>,
    pub(super) status: Option<Value>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    pub(super) incomplete_details: Option<IncompleteDetails>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct IncompleteDetails {
    pub(super) reason: Option<String>,
}

/// Any item: the fields of all kinds that have a neutral form. One type, so that an item is read in one pass.
#[derive(Deserialize)]
pub(super) struct Item<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) role: Option<String>,
    pub(super) status: Option<Value>,
    #[serde(default, deserialize_with = "id")]
    pub(super) call_id: Option<String>,
    #[serde(default, deserialize_with = "id")]
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    /// Text of JSON; an object in a client's tool search.
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) summary: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) action: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) actions: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) operation: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) pending_safety_checks: Option<&'a RawValue>,
    pub(super) environment: Option<Environment>,
    pub(super) caller: Option<Value>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Environment {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

/// Of an item, only its own id.
#[derive(Deserialize)]
pub(super) struct ItemId {
    #[serde(default, deserialize_with = "id")]
    pub(super) id: Option<String>,
}

/// Of an item, only the id by which a call and its result are known.
#[derive(Deserialize)]
pub(super) struct CallId<'a> {
    #[serde(borrow)]
    pub(super) call_id: &'a RawValue,
}

/// Of an item, only how it stands.
#[derive(Deserialize)]
pub(super) struct Status {
    pub(super) status: Option<Value>,
}

/// An id, which some servers have as a number.
fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Value>::deserialize(deserializer)? {
        None => None,
        Some(Value::String(text)) => Some(text),
        Some(Value::Number(number)) => Some(number.to_string()),
        Some(_) => return Err(D::Error::custom("an id that is no text")),
    })
}

/// Of an item, only what it is.
#[derive(Deserialize)]
pub(super) struct Kind {
    #[serde(rename = "type")]
    pub(super) kind: String,
}

/// A part of a message, of a result, or of reasoning.
#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) text: Option<String>,
    pub(super) refusal: Option<String>,
    pub(super) image_url: Option<String>,
    pub(super) file_id: Option<String>,
    pub(super) file_url: Option<String>,
    pub(super) file_data: Option<String>,
    pub(super) filename: Option<String>,
}

/// An event of a stream: the fields of all kinds that are looked at here. One type, so that an event is read in one
/// pass.
#[derive(Deserialize)]
pub(super) struct Event<'a> {
    #[serde(rename = "type")]
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) output_index: Option<u64>,
    #[serde(default, deserialize_with = "id")]
    pub(super) item_id: Option<String>,
    pub(super) content_index: Option<u64>,
    pub(super) summary_index: Option<u64>,
    #[serde(borrow)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) delta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// An item as it is written, where there is none to echo.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum OutItem<'a> {
    Message {
        role: &'static str,
        content: OutContent<'a>,
    },
    FunctionCall {
        #[serde(rename = "type")]
        kind: &'static str,
        call_id: Cow<'a, str>,
        name: &'a str,
        arguments: Cow<'a, str>,
    },
    /// A result: what is told of it, and what its call wants to be told again.
    Output {
        #[serde(rename = "type")]
        kind: String,
        call_id: Cow<'a, str>,
        output: OutContent<'a>,
        #[serde(flatten)]
        answer: Map<String, Value>,
    },
    /// Any other, put together by hand.
    Fields(Map<String, Value>),
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
    InputText {
        text: Cow<'a, str>,
        #[serde(flatten)]
        options: Option<&'a Map<String, Value>>,
    },
    InputImage {
        detail: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        image_url: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_id: Option<&'a str>,
        #[serde(flatten)]
        options: Map<String, Value>,
    },
    InputFile {
        #[serde(skip_serializing_if = "Option::is_none")]
        file_data: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_url: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_id: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<Cow<'a, str>>,
        #[serde(flatten)]
        options: Option<&'a Map<String, Value>>,
    },
    /// A part that is JSON of this API already.
    #[serde(untagged)]
    Raw(&'a RawValue),
}
