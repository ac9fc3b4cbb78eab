//! [`OpenItem`]: one item of a reply while it arrives.

use serde_json::{Map, Value, json};

use super::content::{self, Item, PARAGRAPH};
use super::event::{Field, Part};
use super::wire;
use crate::json::RawJson;
use crate::message::{Content, ToolCall};
use crate::provider::asked::Asked;
use crate::raw_object::{RawObject, list, string};
use crate::stream::{StreamEvent, StreamedBlock};

/// An item that may still grow. Its parts count only as long as the item itself does not come whole.
#[derive(Debug)]
pub(super) struct OpenItem {
    /// Its place in the reply.
    pub(super) place: usize,
    /// Its own id, by which some servers tell what an event is of.
    pub(super) id: Option<String>,
    /// As it began, or as it came whole.
    json: RawJson,
    /// The block as it began.
    begun: Content,
    parts: Vec<(Field, String)>,
    /// What was told of its text or input.
    told: String,
    pub(super) is_whole: bool,
    /// Another call has its id, so it has one of its own here.
    is_renamed: bool,
}

impl OpenItem {
    /// # Errors
    /// Where it is a known item without what it must have.
    pub(super) fn new(
        place: usize,
        id: Option<String>,
        json: RawJson,
        asked: Asked<'_>,
        is_taken: impl Fn(&str) -> bool,
    ) -> Result<Self, String> {
        let given = content::item(&json, place, asked)?.content;
        let begun = content::item_apart(&json, place, asked, is_taken)?.content;
        let id_of = |block: &Content| block.as_tool_call().map(|call| call.id().to_owned());
        let mut item = Self {
            place,
            id,
            json,
            begun,
            parts: Vec::new(),
            told: String::new(),
            is_whole: false,
            is_renamed: false,
        };
        item.is_renamed = id_of(&given) != id_of(&item.begun);
        item.json = item.renamed(item.json.clone());
        Ok(item)
    }

    /// The item with the id that its call has here.
    fn renamed(&self, json: RawJson) -> RawJson {
        match self.begun.as_tool_call().filter(|_| self.is_renamed) {
            Some(call) => content::with_call_id(&json, call.id()),
            None => json,
        }
    }

    /// The id by which the result of its call is known.
    pub(super) fn call_id(&self) -> Option<&str> {
        self.begun.as_tool_call().map(ToolCall::id)
    }

    /// Its begin: a text is empty, and a call without its input.
    pub(super) fn start(&self) -> StreamEvent {
        let mut content = self.begun.clone();
        match &mut content {
            Content::Text(block) => block.text.clear(),
            Content::Thinking(block) => block.text.clear(),
            Content::ToolCall(call) => *call = call.with_input(RawJson::empty_object()),
            _ => {}
        }
        let index = self.place;
        StreamEvent::BlockStart { index, content }
    }

    /// Takes a part in, and tells it.
    pub(super) fn grow(&mut self, field: Field, part: Part) -> Option<StreamEvent> {
        let is_new = !self.parts.iter().any(|(own, _)| *own == field);
        if is_new {
            self.parts.push((field, String::new()));
        }
        let is_next_paragraph = is_new && matches!(field, Field::Summary(at) if at > 0);
        let (_, text) = self.parts.iter_mut().find(|(own, _)| *own == field)?;
        let part = match part {
            Part::Next(part) => {
                text.push_str(&part);
                part
            }
            Part::Whole(whole) => {
                let rest = whole.strip_prefix(text.as_str()).unwrap_or_default();
                let rest = rest.to_owned();
                *text = whole;
                rest
            }
        };
        let part = if is_next_paragraph {
            PARAGRAPH.to_owned() + &part
        } else {
            part
        };
        // What is refused is no text of the reply.
        (!matches!(field, Field::Refusal(_))).then(|| self.tell(&part))?
    }

    /// The next part, if the block is one of which parts are told.
    fn tell(&mut self, part: &str) -> Option<StreamEvent> {
        let index = self.place;
        if part.is_empty() {
            return None;
        }
        let event = match &self.begun {
            Content::Text(_) => StreamEvent::TextDelta {
                index,
                text: part.to_owned(),
            },
            Content::Thinking(_) => StreamEvent::ThinkingDelta {
                index,
                text: part.to_owned(),
            },
            // The text of a tool that takes one is not the JSON of its input, which is told at the end.
            Content::ToolCall(_) if self.is_function() => StreamEvent::InputDelta {
                index,
                json: part.to_owned(),
            },
            _ => return None,
        };
        self.told.push_str(part);
        Some(event)
    }

    fn is_function(&self) -> bool {
        let call = self.begun.as_tool_call();
        call.is_some_and(|call| {
            let answer = call.identity().answer();
            let kind = answer.and_then(|answer| content::kind_of_fields(answer));
            kind.is_none_or(|kind| kind == super::calls::FUNCTION_OUTPUT)
        })
    }

    /// The place of the same item among those of the whole reply: by its id; else by the index that the API has told, or
    /// by its place, if what is there is of its kind; else the first of its kind.
    pub(super) fn place_in(&self, items: &[RawJson], index: u64, at: usize) -> Option<usize> {
        let id = |json: &RawJson| json.decode::<wire::ItemId>().ok()?.id;
        let kind = |json: &RawJson| json.decode::<wire::Kind>().ok().map(|known| known.kind);
        let (own_id, own_kind) = (self.id.clone().or_else(|| id(&self.json)), kind(&self.json));
        let has_id = |place: &usize| {
            let of_item = items.get(*place).and_then(id);
            of_item.is_some() && of_item == own_id
        };
        let is_of_kind =
            |place: &usize| items.get(*place).is_some_and(|item| kind(item) == own_kind);
        let places = || {
            let told = usize::try_from(index).ok().into_iter();
            told.chain([at]).chain(0..items.len())
        };
        places().find(has_id).or_else(|| places().find(is_of_kind))
    }

    pub(super) const fn is_open_message(&self) -> bool {
        !self.is_whole && matches!(self.begun, Content::Text(_))
    }

    /// The item as it counts.
    pub(super) fn set_whole(&mut self, json: RawJson) {
        self.json = self.renamed(json);
        self.parts.clear();
        self.is_whole = true;
    }

    /// The end of it: what was not told yet, and the block. An item that is incomplete is never there whole, so that
    /// nobody acts on it: a call's input may be cut and JSON all the same.
    ///
    /// # Errors
    /// Where it is a known item without what it must have.
    pub(super) fn stop(
        &mut self,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), String> {
        let Item { content, json, .. } = content::item(&self.json, self.place, asked)?;
        let whole = match &content {
            Content::Text(block) => block.text.clone(),
            Content::Thinking(block) => block.text.clone(),
            Content::ToolCall(call) => match call.input().as_str() {
                "{}" => String::new(),
                input => input.to_owned(),
            },
            _ => String::new(),
        };
        let rest = whole.strip_prefix(self.told.as_str()).map(str::to_owned);
        let index = self.place;
        told.extend(rest.filter(|rest| !rest.is_empty()).and_then(|rest| {
            Some(match &content {
                Content::Text(_) => StreamEvent::TextDelta { index, text: rest },
                Content::Thinking(_) => StreamEvent::ThinkingDelta { index, text: rest },
                Content::ToolCall(_) => StreamEvent::InputDelta { index, json: rest },
                _ => return None,
            })
        }));
        if !content::is_incomplete(&json) {
            let streamed = StreamedBlock::new(index, content).with_native(json);
            told.extend([StreamEvent::BlockStop(streamed)]);
        }
        Ok(())
    }

    /// The item as far as it is there.
    pub(super) fn compose(&self) -> RawJson {
        if self.parts.is_empty() {
            return self.json.clone();
        }
        let Ok(mut fields) = RawObject::parse(&self.json) else {
            return self.json.clone();
        };
        let (mut content, mut summary) = (Vec::new(), Vec::new());
        for (field, text) in &self.parts {
            let part = |kind: &str, key: &str| {
                let mut part = Map::new();
                part.insert("type".to_owned(), kind.into());
                part.insert(key.to_owned(), text.as_str().into());
                if kind == "output_text" {
                    part.insert("annotations".to_owned(), json!([]));
                }
                RawJson::from(Value::Object(part))
            };
            match field {
                Field::Text(_) => content.push(part("output_text", "text")),
                Field::Refusal(_) => content.push(part("refusal", "refusal")),
                Field::Reasoning(_) => content.push(part("reasoning_text", "text")),
                Field::Summary(_) => summary.push(part("summary_text", "text")),
                Field::Input if fields.get("input").is_some() => fields.set("input", string(text)),
                Field::Input => fields.set("arguments", string(text)),
            }
        }
        for (key, parts) in [("content", content), ("summary", summary)] {
            if !parts.is_empty() {
                fields.set(key, list(&parts));
            }
        }
        fields.compose()
    }
}
