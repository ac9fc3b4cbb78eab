//! [`Accumulator`]: events of the API in, a reply that grows, and what is told of it out.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde_json::json;

use super::decode;
use super::event::{self, Event, Field, Of};
use super::open_item::OpenItem;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Reply, Usage};
use crate::provider::asked::Asked;
use crate::provider::codec::{Accumulate, Frames};
use crate::provider::failure::misplaced;
use crate::raw_object::{RawObject, list, string};
use crate::stream::StreamEvent;

/// Puts a reply together from the events of its stream. It is pure, and ends in what a plain reply ends in.
#[derive(Debug)]
pub(super) struct Accumulator<'a> {
    asked: Asked<'a>,
    request_id: Option<String>,
    reply: Option<Growing>,
    /// The reply was given.
    is_over: bool,
}

/// A reply while it arrives.
#[derive(Debug, Default)]
struct Growing {
    /// As it was told last.
    response: Option<RawJson>,
    /// By the index that the API has for them, which may have gaps.
    items: BTreeMap<u64, OpenItem>,
}

impl<'a> Accumulator<'a> {
    pub(super) const fn new(asked: Asked<'a>, request_id: Option<String>) -> Self {
        Self {
            asked,
            request_id,
            reply: None,
            is_over: false,
        }
    }

    fn begun(&mut self, told: &mut impl Extend<StreamEvent>) -> &mut Growing {
        if self.reply.is_none() {
            told.extend([StreamEvent::Usage(Usage::default())]);
        }
        self.reply.get_or_insert_default()
    }

    /// The reply of the last event, after what was not told of it yet.
    fn give(
        &mut self,
        response: &RawJson,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<Reply, Error> {
        let mut growing = self.reply.take().unwrap_or_default();
        self.is_over = true;
        let body = growing.whole(response)?;
        let reply = decode::response(&body, self.asked, self.request_id.clone())?;
        let native = reply.message().native(&super::API);
        let items = native.map_or(&[][..], |native| &native.blocks);
        let mut known = BTreeSet::new();
        for (at, (index, item)) in growing.items.iter_mut().enumerate() {
            let place = item.place_in(items, *index, at);
            known.insert(place.unwrap_or(at));
            if item.is_whole {
                continue;
            }
            // What the last event says of an item counts, and not the parts that have come so far.
            let json = place.and_then(|place| items.get(place)).cloned();
            item.set_whole(json.unwrap_or_else(|| item.compose()));
            let stopped = item.stop(self.asked, told);
            stopped.map_err(|reason| misplaced("output", item.place, &reason))?;
        }
        // Of some servers no item is told but by the last event.
        let rest = items.iter().enumerate();
        for (_, item) in rest.filter(|(place, _)| !known.contains(place)) {
            let index = growing.next_index();
            growing.add(index, None, item.clone(), self.asked, told)?;
            growing.finish(index, item.clone(), self.asked, told)?;
        }
        told.extend([StreamEvent::Usage(reply.usage().clone())]);
        Ok(reply)
    }
}

impl Accumulate for Accumulator<'_> {
    type Event = Event;

    fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Event>, Error> {
        event::read(name, data)
    }

    fn add(&mut self, event: Event, told: &mut impl Extend<StreamEvent>) -> Result<(), Error> {
        if self.is_over {
            return Ok(());
        }
        let asked = self.asked;
        match event {
            Event::Response(response) => {
                self.begun(told).response = Some(response);
                Ok(())
            }
            Event::ItemAdded { of, item } => {
                let growing = self.begun(told);
                let index = of.index.unwrap_or_else(|| growing.next_index());
                // Some servers begin an item without what it must have; it is read where it ends.
                growing.add(index, of.id, item, asked, told).or(Ok(()))
            }
            Event::ItemDone { of, item } => {
                let growing = self.begun(told);
                let known = growing.index_of(&of);
                let index = known.or(of.index);
                let index = index.unwrap_or_else(|| growing.next_index());
                growing.add(index, of.id, item.clone(), asked, told)?;
                growing.finish(index, item, asked, told)
            }
            Event::Delta { of, field, part } => {
                let growing = self.begun(told);
                let index = growing.open_for(&of, field, asked, told)?;
                let item = index.and_then(|index| growing.items.get_mut(&index));
                told.extend(item.and_then(|item| item.grow(field, part)));
                Ok(())
            }
            Event::Ended(response) => {
                let reply = self.give(&response, told)?;
                told.extend([StreamEvent::Reply(reply)]);
                Ok(())
            }
        }
    }

    /// Without its last event, nobody knows how a reply ended.
    fn finish(&mut self, _: &mut impl Extend<StreamEvent>) -> Result<Option<Reply>, Error> {
        Ok(None)
    }

    fn partial(&mut self) -> Option<Reply> {
        let growing = self.reply.take()?;
        let response = growing.response.clone();
        let response = response.unwrap_or_else(RawJson::empty_object);
        let mut fields = RawObject::parse(&response).ok()?;
        fields.set("output", growing.output());
        fields.set("status", string("in_progress"));
        decode::response(&fields.compose(), self.asked, self.request_id.clone()).ok()
    }

    fn has_begun(&self) -> bool {
        self.is_over || self.reply.is_some()
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn request_id(&self) -> Option<String> {
        self.request_id.clone()
    }
}

impl Growing {
    /// The index of an item that has none.
    fn next_index(&self) -> u64 {
        let last = self.items.last_key_value();
        last.map_or(0, |(index, _)| index.saturating_add(1))
    }

    /// The item that has begun, by its index or its id; where neither is told, the one that began last.
    fn index_of(&self, of: &Of) -> Option<u64> {
        if let Some(index) = of.index {
            return self.items.contains_key(&index).then_some(index);
        }
        let mut items = self.items.iter().rev();
        let found = match &of.id {
            Some(id) => items.find(|(_, item)| item.id.as_ref() == Some(id)),
            None => items.next(),
        };
        found.map(|(index, _)| *index)
    }

    /// The item that a part is of. Some servers tell a text of a message whose begin they have not told.
    fn open_for(
        &mut self,
        of: &Of,
        field: Field,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<Option<u64>, Error> {
        let known = self.index_of(of);
        let is_message = |index: &u64| self.items.get(index).is_some_and(OpenItem::is_open_message);
        if !matches!(field, Field::Text(_)) || known.as_ref().is_some_and(is_message) {
            return Ok(known);
        }
        // One that is named is not another one.
        if known.is_some() && (of.index.is_some() || of.id.is_some()) {
            return Ok(known);
        }
        let index = of.index.unwrap_or_else(|| self.next_index());
        let begun = match &of.id {
            Some(id) => json!({"type": "message", "id": id, "role": "assistant", "content": []}),
            None => json!({"type": "message", "role": "assistant", "content": []}),
        };
        self.add(index, of.id.clone(), begun.into(), asked, told)?;
        Ok(Some(index))
    }

    /// An item begins. One that begins again is the same.
    fn add(
        &mut self,
        index: u64,
        id: Option<String>,
        item: RawJson,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        if self.items.contains_key(&index) {
            return Ok(());
        }
        let place = self.items.len();
        let others = self.items.values();
        let is_taken = |id: &str| others.clone().any(|other| other.call_id() == Some(id));
        let item = OpenItem::new(place, id, item, asked, is_taken)
            .map_err(|reason| misplaced("output", place, &reason))?;
        told.extend([item.start()]);
        self.items.insert(index, item);
        Ok(())
    }

    fn finish(
        &mut self,
        index: u64,
        json: RawJson,
        asked: Asked<'_>,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        let Some(item) = self.items.get_mut(&index).filter(|item| !item.is_whole) else {
            return Ok(());
        };
        item.set_whole(json);
        let stopped = item.stop(asked, told);
        stopped.map_err(|reason| misplaced("output", item.place, &reason))
    }

    /// The items so far, in the order of the API.
    fn output(&self) -> RawJson {
        let items: Vec<_> = self.items.values().map(OpenItem::compose).collect();
        list(&items)
    }

    /// The response of the last event. Some servers leave the items out there.
    fn whole(&self, response: &RawJson) -> Result<RawJson, Error> {
        let fields = RawObject::parse(response);
        let mut fields = fields.map_err(|error| {
            let place = crate::provider::failure::place(&error);
            Error::protocol(format!("the reply is {place}"))
        })?;
        let output = fields.get("output").map_or("null", RawJson::as_str);
        if self.items.is_empty() || !matches!(output, "null" | "[]") {
            return Ok(response.clone());
        }
        fields.set("output", self.output());
        Ok(fields.compose())
    }
}

#[cfg(test)]
mod tests;
