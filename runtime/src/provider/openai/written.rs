//! What is written of a conversation at both APIs: a list of JSON, and the parts of it that are the same there.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Serialize;

use crate::json::RawJson;
use crate::provider::body::{push, write};
use crate::raw_object::{RawObject, list};
use crate::surrogates::replace_lone_surrogates;

/// Messages or items as JSON, joined.
pub(super) struct List {
    bytes: Vec<u8>,
    is_first: bool,
}

impl Default for List {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            is_first: true,
        }
    }
}

impl List {
    pub(super) fn add(&mut self, value: &impl Serialize) {
        let mut bytes = Vec::new();
        write(&mut bytes, value);
        self.add_raw(&bytes);
    }

    /// Adds what is JSON already.
    pub(super) fn add_raw(&mut self, json: &[u8]) {
        push(&mut self.bytes, &mut self.is_first, json);
    }

    /// All of it, as an API takes it.
    pub(super) fn finish(mut self) -> Bytes {
        replace_lone_surrogates(&mut self.bytes);
        self.bytes.into()
    }
}

/// A message of a body that was read: its parts in its frame.
pub(super) fn in_frame(frame: &RawJson, parts: &[RawJson]) -> RawObject {
    let content = match parts {
        [text] if text.as_str().starts_with('"') => text.clone(),
        parts => list(parts),
    };
    let mut fields = RawObject::parse(frame).unwrap_or_default();
    fields.set("content", content);
    fields
}

/// The arguments of a call, which are an object.
pub(super) fn arguments(input: &RawJson) -> Cow<'_, str> {
    if !input.is_object() {
        return "{}".into();
    }
    let mut text = input.bytes().to_vec();
    replace_lone_surrogates(&mut text);
    if text == input.as_str().as_bytes() {
        return input.as_str().into();
    }
    String::from_utf8(text).unwrap_or_default().into()
}
