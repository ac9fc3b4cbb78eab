//! The JSON in which messages are stored, where no derive can write it.
//!
//! Enums are written as `{"name": ...}`: with the name inside, serde would read a block before it knows what it is,
//! and that keeps no text of a [`RawJson`].

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{
    BlockOptions, Content, Identity, Message, Native, Role, Text, ToolCall, ToolResult, WireName,
};
use crate::api::Api;
use crate::json::{RawJson, present, present_value};

/// Words alone are a string; a later version may have more to say of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Alone(String),
    Among { text: String },
}

/// A text: words alone, or among what else is said of them.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredText<'a> {
    Alone(Cow<'a, str>),
    Among {
        text: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        options: Option<Cow<'a, BlockOptions>>,
    },
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text.as_str().into();
        let stored = if self.options.are_none() {
            StoredText::Alone(text)
        } else {
            let options = Some(Cow::Borrowed(&self.options));
            StoredText::Among { text, options }
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (text, options) = match StoredText::deserialize(deserializer)? {
            StoredText::Alone(text) => (text, None),
            StoredText::Among { text, options } => (text, options),
        };
        Ok(Self {
            text: text.into_owned(),
            options: options.unwrap_or_default().into_owned(),
        })
    }
}

pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let words = Words::deserialize(deserializer)?;
    let (Words::Alone(text) | Words::Among { text }) = words;
    Ok(text)
}

/// A call: with `input`, or with `input_text` where that is no JSON.
#[derive(Serialize, Deserialize)]
struct StoredCall<'a> {
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    input: Option<RawJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input_text: Option<Cow<'a, str>>,
    /// How the model has named the tool, where that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wire: Option<Cow<'a, WireName>>,
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let input = self.input();
        let stored = StoredCall {
            id: self.id().into(),
            name: self.name().into(),
            input: input.is_json().then(|| input.clone()),
            input_text: (!input.is_json()).then(|| input.as_str().into()),
            wire: self.identity().wire.as_deref().map(Cow::Borrowed),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolCall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredCall::deserialize(deserializer)?;
        let input = match (stored.input, stored.input_text) {
            (Some(input), _) => input,
            (None, Some(text)) => RawJson::from_text(text.into_owned()),
            (None, None) => return Err(Error::missing_field("input")),
        };
        let (id, name) = (stored.id.into_owned(), stored.name.into_owned());
        let identity = Identity::named(id, name, stored.wire.map(Cow::into_owned));
        Ok(Self::of_identity(identity, input))
    }
}

#[derive(Serialize, Deserialize)]
struct StoredResult<'a> {
    call_id: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    name: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    content: Cow<'a, [Content]>,
    #[serde(
        default,
        deserialize_with = "structured",
        skip_serializing_if = "Option::is_none"
    )]
    structured: Option<Cow<'a, Value>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wire: Option<Cow<'a, WireName>>,
}

impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = StoredResult {
            call_id: self.call_id().into(),
            name: self.name().into(),
            content: self.content().into(),
            structured: self.structured().map(Cow::Borrowed),
            is_error: self.is_error(),
            wire: self.identity().wire.as_deref().map(Cow::Borrowed),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredResult::deserialize(deserializer)?;
        let (id, name) = (stored.call_id.into_owned(), stored.name.into_owned());
        let call = Identity::named(id, name, stored.wire.map(Cow::into_owned));
        let structured = stored.structured.map(|value| Box::new(value.into_owned()));
        Ok(
            Self::with_parts(call, stored.content.into_owned(), stored.is_error)
                .with_structured(structured),
        )
    }
}

fn structured<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Cow<'static, Value>>, D::Error> {
    let value: Option<Value> = present_value(deserializer)?;
    Ok(value.map(Cow::Owned))
}

#[derive(Serialize, Deserialize)]
struct StoredMessage<'a> {
    role: Role,
    content: Cow<'a, [Content]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    native: Option<StoredNative<'a>>,
}

/// The form in which a message came. Another API needs the neutral content, so both are there.
#[derive(Serialize, Deserialize)]
struct StoredNative<'a> {
    api: Cow<'a, Api>,
    model: Cow<'a, str>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    frame: Option<RawJson>,
    /// Null for a block that stands whole in the content. Those are the large ones: what a server tool has found.
    blocks: Vec<Option<RawJson>>,
}

impl<'a> StoredNative<'a> {
    fn new(native: &'a Native, content: &[Content]) -> Self {
        let blocks = native.blocks.iter().enumerate();
        Self {
            api: Cow::Borrowed(&native.api),
            model: native.model.as_str().into(),
            frame: native.frame.clone(),
            blocks: blocks
                .map(|(at, block)| {
                    let whole = content.get(at).and_then(|block| whole(block, &native.api));
                    whole
                        .is_none_or(|whole| whole.bytes() != block.bytes())
                        .then(|| block.clone())
                })
                .collect(),
        }
    }

    /// # Errors
    /// Where there is not one block for each of the content: what was sent would not be what is read.
    fn into_native(self, content: &[Content]) -> Result<Native, String> {
        let api = self.api.into_owned();
        let (own, neutral) = (self.blocks.len(), content.len());
        if own != neutral {
            return Err(format!(
                "`native` has {own} blocks for the {neutral} of `content`; take `native` out of a message whose \
                 content was changed"
            ));
        }
        let blocks = self.blocks.into_iter().zip(content).enumerate();
        let blocks = blocks.map(|(at, (own, neutral))| {
            own.or_else(|| whole(neutral, &api).cloned())
                .ok_or_else(|| {
                    format!(
                        "block {at} of `native` is null, and that of `content` is none of its API"
                    )
                })
        });
        Ok(Native {
            blocks: blocks.collect::<Result<_, _>>()?,
            api: api.clone(),
            model: self.model.into_owned(),
            frame: self.frame,
        })
    }
}

/// The block as it came, if the content has it.
fn whole<'a>(content: &'a Content, api: &Api) -> Option<&'a RawJson> {
    match content {
        Content::Other(other) if other.api == *api => Some(&other.json),
        _ => None,
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let native = self.0.native.as_ref();
        let stored = StoredMessage {
            role: self.role(),
            content: self.content().into(),
            native: native.map(|native| StoredNative::new(native, self.content())),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredMessage::deserialize(deserializer)?;
        let content = stored.content.into_owned();
        let native = stored.native.map(|native| native.into_native(&content));
        let native = native.transpose().map_err(Error::custom)?;
        Ok(Self::with_native(stored.role, content, native))
    }
}

#[cfg(test)]
mod tests;
