//! [`Growing`]: a reply of chat completions while it arrives.

use serde_json::Value;

use super::call_slots::{CallSlot, CallSlots};
use super::chunk::{Chunk, Delta};
use super::content::{self, thinking};
use super::decode::{self, Head};
use super::details::Details;
use super::logprobs::Logprobs;
use super::reasoning;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Reply, ToolCall};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::raw_object::{RawObject, list, string};
use crate::stream::{StreamEvent, StreamedBlock};

/// A reply while it arrives.
#[derive(Debug, Default)]
pub(super) struct Growing {
    /// All but the choices and the usage, as they came.
    fields: RawObject,
    /// The text, where there is any, also an empty one.
    text: Option<String>,
    has_null_content: bool,
    reasoning: Option<(&'static str, String)>,
    details: Details,
    refusal: Option<String>,
    others: RawObject,
    calls: CallSlots,
    logprobs: Logprobs,
    pub(super) finish_reason: Option<String>,
    usage: Option<RawJson>,
    /// What the reply has at each of its places, in which it began.
    order: Vec<Part>,
}

/// A block of the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Reasoning,
    Text,
    Call(usize),
}

impl Growing {
    pub(super) fn add(
        &mut self,
        chunk: Chunk,
        is_new: bool,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        let usage = chunk.usage.filter(|usage| usage.as_str() != "null");
        // The others repeat what the first has said.
        if is_new || usage.is_some() || chunk.finish_reason.is_some() || !chunk.has_choice {
            let mut fields = RawObject::parse(&chunk.json).unwrap_or_default();
            for own in ["choices", "usage", "object"] {
                fields.take(own);
            }
            self.fields.update(fields);
        }
        if is_new || usage.is_some() {
            let told_usage = usage.clone().map(decode::usage).unwrap_or_default();
            told.extend([StreamEvent::Usage(told_usage)]);
        }
        self.usage = usage.or(self.usage.take());
        if let Some(logprobs) = &chunk.logprobs {
            self.logprobs.add(logprobs);
        }
        self.grow(chunk.delta, asked, told)?;
        self.finish_reason = chunk.finish_reason.or(self.finish_reason.take());
        Ok(())
    }

    fn grow(
        &mut self,
        delta: Delta,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        self.think(delta.reasoning, &delta.reasoning_details, told);
        self.has_null_content |= delta.has_null_content;
        if let Some(text) = delta.text {
            if !text.is_empty() {
                let index = self.open(Part::Text, told, || Content::text(""));
                let text = text.clone();
                told.extend([StreamEvent::TextDelta { index, text }]);
            }
            self.text.get_or_insert_default().push_str(&text);
        }
        if let Some(refusal) = delta.refusal {
            self.refusal.get_or_insert_default().push_str(&refusal);
        }
        for (key, value) in delta.others {
            self.others.set(key, value);
        }
        for (at, call) in delta.calls.into_iter().enumerate() {
            let at = self.calls.add(call, at > 0);
            self.tell_call(at, asked, told);
            // The model has moved on from those before it.
            self.close_calls(asked, at, told)?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        reasoning: Option<(&'static str, String)>,
        details: &[RawJson],
        told: &mut impl Extend<StreamEvent>,
    ) {
        let shown: Vec<_> = details
            .iter()
            .filter_map(|it| self.details.add(it))
            .collect();
        if reasoning.is_none() && shown.is_empty() {
            return;
        }
        let index = self.open(Part::Reasoning, told, || thinking(String::new()));
        let part = match reasoning {
            Some((field, part)) => {
                let (_, text) = self.reasoning.get_or_insert_with(|| (field, String::new()));
                text.push_str(&part);
                part
            }
            None if self.reasoning.is_none() => shown.concat(),
            None => String::new(),
        };
        if !part.is_empty() {
            told.extend([StreamEvent::ThinkingDelta { index, text: part }]);
        }
    }

    /// The place of a block, which begins where it has none.
    fn open(
        &mut self,
        part: Part,
        told: &mut impl Extend<StreamEvent>,
        begun: impl FnOnce() -> Content,
    ) -> usize {
        if let Some(at) = self.order.iter().position(|own| *own == part) {
            return at;
        }
        let index = self.order.len();
        self.order.push(part);
        let content = begun();
        told.extend([StreamEvent::BlockStart { index, content }]);
        index
    }

    /// Tells what is known of a call, once it has a name.
    fn tell_call(&mut self, at: usize, asked: Asked<'_>, told: &mut impl Extend<StreamEvent>) {
        let next = self.order.len();
        let Some(slot) = self.calls.get_mut(at) else {
            return;
        };
        let Some(name) = slot.name.clone() else {
            return;
        };
        let is_new = slot.place.is_none();
        let index = *slot.place.get_or_insert(next);
        if is_new {
            let given = slot.id.clone();
            let is_taken = given.as_ref().is_some_and(|id| self.calls.is_taken(id, at));
            let id = given.filter(|_| !is_taken);
            let id = id.unwrap_or_else(|| asked.short_missing_id(index));
            self.order.push(Part::Call(at));
            let identity = asked.names.identity(id.clone(), name, None);
            let content =
                Content::ToolCall(ToolCall::of_identity(identity, RawJson::empty_object()));
            told.extend([StreamEvent::BlockStart { index, content }]);
            if let Some(slot) = self.calls.get_mut(at) {
                slot.id = Some(id);
            }
        }
        let part = self.calls.get_mut(at).and_then(CallSlot::untold);
        told.extend(part.map(|json| StreamEvent::InputDelta { index, json }));
    }

    /// Tells of all calls that are whole: the model has said all.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn close_all_calls(
        &mut self,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        self.close_calls(asked, self.calls.len(), told)
    }

    /// The places of the blocks whose end was not told.
    pub(super) fn open_places(&self) -> Vec<usize> {
        let is_closed = |slot: &usize| self.calls.get(*slot).is_some_and(|call| call.is_closed);
        let is_open = |part: &Part| match part {
            Part::Call(slot) => !is_closed(slot),
            Part::Reasoning | Part::Text => true,
        };
        let places = self.order.iter().enumerate();
        places
            .filter(|(_, part)| is_open(part))
            .map(|(at, _)| at)
            .collect()
    }

    /// Tells of calls before a place that are whole. More parts of them cannot come.
    ///
    /// # Errors
    /// Where one cannot be read.
    fn close_calls(
        &mut self,
        asked: Asked<'_>,
        before: usize,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        for at in 0..before {
            let Some(slot) = self.calls.get_mut(at) else {
                break;
            };
            let Some(index) = slot.place.filter(|_| !slot.is_closed && slot.is_whole()) else {
                continue;
            };
            slot.is_closed = true;
            let mut message = RawObject::default();
            message.set("tool_calls", list([&slot.compose()]));
            let turn = content::turn(&message.compose(), asked)?;
            let mut blocks = turn.blocks.content.into_iter().zip(turn.blocks.native);
            if let Some((block, json)) = blocks.next() {
                let streamed = StreamedBlock::new(index, block).with_native(json);
                told.extend([StreamEvent::BlockStop(streamed)]);
            }
        }
        Ok(())
    }

    /// The message as a plain reply has it.
    fn message(&self) -> RawJson {
        let mut message = RawObject::default();
        message.set("role", string("assistant"));
        match &self.text {
            Some(text) => message.set("content", string(text)),
            None if self.has_null_content => message.set("content", RawJson::null()),
            None => {}
        }
        if let Some(refusal) = &self.refusal {
            message.set("refusal", string(refusal));
        }
        match &self.reasoning {
            Some((reasoning::PARTS, thought)) => {
                let text = self.text.as_deref().filter(|text| !text.is_empty());
                message.set("content", reasoning::with_parts(thought, text));
            }
            Some((field, thought)) => message.set(field, string(thought)),
            None => {}
        }
        if let Some(details) = self.details.compose() {
            message.set("reasoning_details", details);
        }
        for (key, value) in self.others.fields() {
            message.set(key, value.clone());
        }
        if !self.calls.is_empty() {
            let calls: Vec<_> = self.calls.iter().map(CallSlot::compose).collect();
            message.set("tool_calls", list(&calls));
        }
        message.compose()
    }

    /// Leaves calls out that have no name yet: nobody can tell what they are.
    pub(super) fn leave_out_nameless(&mut self) {
        let places = self.calls.leave_out_nameless();
        for part in &mut self.order {
            if let Part::Call(at) = part
                && let Some(now) = places.get(*at)
            {
                *at = *now;
            }
        }
    }

    /// The reply of what is there.
    pub(super) fn into_reply(
        mut self,
        asked: Asked<'_>,
        request_id: Option<String>,
    ) -> Result<Reply, Error> {
        for at in 0..self.calls.len() {
            self.tell_call(at, asked, &mut Vec::new());
        }
        let message = self.message();
        let mut turn = content::turn(&message, asked)?;
        turn.blocks = self.in_order(&turn.blocks);
        let mut choice = RawObject::default();
        choice.set("index", RawJson::from(Value::from(0)));
        choice.set("message", message);
        let reason = self.finish_reason.as_deref();
        choice.set("finish_reason", reason.map_or_else(RawJson::null, string));
        if let Some(logprobs) = self.logprobs.compose() {
            choice.set("logprobs", logprobs);
        }
        self.fields.set("object", string("chat.completion"));
        self.fields.set("choices", list([&choice.compose()]));
        if let Some(usage) = &self.usage {
            self.fields.set("usage", usage.clone());
        }
        let text = |key: &str| {
            let field = self.fields.get(key);
            field.and_then(|it| it.decode().ok()).unwrap_or_default()
        };
        let head = Head {
            id: text("id"),
            model: text("model"),
            finish_reason: self.finish_reason.map(Value::from),
            usage: self.usage,
            request_id,
        };
        let body = self.fields.compose().bytes().clone();
        Ok(decode::whole(head, turn, body, asked.model))
    }

    /// The blocks in the order in which they were told: a plain reply has reasoning, text and calls.
    fn in_order(&self, blocks: &Blocks) -> Blocks {
        let has = |part| usize::from(self.order.contains(&part));
        let (thoughts, texts) = (has(Part::Reasoning), has(Part::Text));
        let places = self.order.iter().map(|part| match part {
            Part::Reasoning => 0,
            Part::Text => thoughts,
            Part::Call(at) => thoughts + texts + at,
        });
        let mut in_order = Blocks::default();
        for place in places {
            let block = blocks.content.get(place).zip(blocks.native.get(place));
            if let Some((content, native)) = block {
                in_order.push((content.clone(), native.clone()));
            }
        }
        in_order
    }
}
