//! [`OpenBlock`]: one block of a reply while it arrives.

use super::content::{self, is_fallback};
use super::event::Delta;
use crate::json::RawJson;
use crate::message::Content;
use crate::provider::asked::Asked;
use crate::provider::failure::place;
use crate::raw_object::{RawObject, list, string};
use crate::stream::StreamEvent;

/// A block that may still grow. Parts are joined as they come, and put into its JSON once, at its end.
#[derive(Debug)]
pub(super) struct OpenBlock {
    /// Its place in the reply.
    place: usize,
    /// The block as it began, in its neutral form and as it came.
    content: Content,
    json: RawJson,
    /// The fields that come in parts, as far as they have come.
    joined: Vec<(&'static str, String)>,
    citations: Vec<RawJson>,
    /// Fields that come whole; of several of a name the last one counts.
    replaced: Vec<(&'static str, RawJson)>,
}

impl OpenBlock {
    /// # Errors
    /// Where it is a known block without what it must have.
    pub(super) fn new(place: usize, asked: Asked<'_>, block: RawJson) -> Result<Self, String> {
        let (content, json) = content::reply_block(block, place, asked)?;
        Ok(Self {
            place,
            content,
            json,
            joined: Vec::new(),
            citations: Vec::new(),
            replaced: Vec::new(),
        })
    }

    pub(super) const fn place(&self) -> usize {
        self.place
    }

    /// Whether another model answers from here on, and its name if it has one.
    pub(super) fn fallback(&self) -> Option<Option<RawJson>> {
        is_fallback(&self.content).then(|| {
            let to = RawObject::parse(&self.json).ok()?.take("to")?;
            RawObject::parse(&to).ok()?.take("model")
        })
    }

    /// Its begin. A text that it begins with is told as the first part.
    pub(super) fn start(&self) -> (StreamEvent, Option<StreamEvent>) {
        let mut content = self.content.clone();
        let first = match &mut content {
            Content::Text(block) => ("text", std::mem::take(&mut block.text)),
            Content::Thinking(block) => ("thinking", std::mem::take(&mut block.text)),
            _ => ("", String::new()),
        };
        let index = self.place;
        let start = StreamEvent::BlockStart { index, content };
        (start, self.part(first.0, first.1))
    }

    /// Takes what is added in, and tells it.
    pub(super) fn grow(&mut self, delta: Delta) -> Option<StreamEvent> {
        match delta {
            Delta::Part(field, part) => {
                if self.takes(field) && !part.is_empty() {
                    self.join(field, &part);
                    return self.part(field, part);
                }
            }
            Delta::Citation(citation) => self.citations.push(citation),
            Delta::Fields(fields) => self.replaced.extend(fields),
        }
        None
    }

    /// Whether a field is one of this kind of block. Of a kind that haft does not know it may be.
    fn takes(&self, field: &str) -> bool {
        match &self.content {
            Content::Text(_) => field == "text",
            Content::Thinking(_) => field == "thinking",
            Content::ToolCall(_) => field == "input",
            _ => true,
        }
    }

    fn join(&mut self, field: &'static str, part: &str) {
        match self.joined.iter_mut().find(|(key, _)| *key == field) {
            Some((_, text)) => text.push_str(part),
            // The input of the start is a placeholder where parts come; a text goes on.
            None if field == "input" => self.joined.push((field, part.to_owned())),
            None => {
                let begun = RawObject::parse(&self.json)
                    .ok()
                    .and_then(|mut fields| fields.take(field)?.decode().ok());
                let begun: String = begun.unwrap_or_default();
                self.joined.push((field, begun + part));
            }
        }
    }

    /// A part, if the block is one of which parts are told.
    fn part(&self, field: &str, part: String) -> Option<StreamEvent> {
        let index = self.place;
        match (field, &self.content) {
            _ if part.is_empty() => None,
            ("text", Content::Text(_)) => Some(StreamEvent::TextDelta { index, text: part }),
            ("thinking", Content::Thinking(_)) => {
                Some(StreamEvent::ThinkingDelta { index, text: part })
            }
            ("input", Content::ToolCall(_)) => Some(StreamEvent::InputDelta { index, json: part }),
            _ => None,
        }
    }

    /// The input that a call began with, where no part has come: told so that the parts of each input can be joined.
    pub(super) fn kept_input(&self) -> Option<StreamEvent> {
        let input = self.content.as_tool_call()?.input();
        let is_kept = input.is_object() && input.as_str() != "{}" && self.joined.is_empty();
        is_kept.then(|| self.part("input", input.as_str().to_owned()))?
    }

    /// The block as it is by now: its neutral form, and its JSON. One to which nothing was added is as it came.
    pub(super) fn close(self) -> Result<(Content, RawJson), String> {
        if self.joined.is_empty() && self.citations.is_empty() && self.replaced.is_empty() {
            return Ok((self.content, self.json));
        }
        let mut fields = RawObject::parse(&self.json).map_err(|error| place(&error))?;
        let mut slip = None;
        for (field, text) in self.joined {
            match (field, &self.content) {
                ("input", content) => slip = set_input(&mut fields, content, text),
                _ => fields.set(field, string(&text)),
            }
        }
        if !self.citations.is_empty() {
            let begun = fields.get("citations").map(RawJson::decode::<Vec<RawJson>>);
            let begun = begun.and_then(Result::ok).unwrap_or_default();
            fields.set("citations", list(begun.iter().chain(&self.citations)));
        }
        for (field, value) in self.replaced {
            fields.set(field, value);
        }
        let json = fields.compose();
        let content = match (self.content, content::block_of(&json)?) {
            // Whose call it is was known at its start.
            (Content::ToolCall(begun), Content::ToolCall(call)) => {
                let input = slip.unwrap_or_else(|| call.input().clone());
                Content::ToolCall(begun.with_input(input))
            }
            (Content::Other(begun), Content::Other(mut other)) => {
                other.tool = begun.tool;
                Content::Other(other)
            }
            (_, content) => content,
        };
        Ok((content, json))
    }
}

/// Sets the input that the model has written. What is no JSON (the model made a slip, or was cut) is given back, and
/// stands in the call's JSON as a string: no object, so it is neither run nor sent back. Of a server's tool the start's
/// input stays, since its blocks go back as they are.
fn set_input(fields: &mut RawObject, content: &Content, text: String) -> Option<RawJson> {
    let input = RawJson::from_text(text);
    if input.is_json() {
        fields.set("input", input);
        return None;
    }
    content.as_tool_call()?;
    fields.set("input", string(input.as_str()));
    Some(input)
}
