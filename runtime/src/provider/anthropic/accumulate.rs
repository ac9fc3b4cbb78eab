//! [`Accumulator`]: events of the API in, a reply that grows, and what is told of it out.

use std::collections::HashMap;

use bytes::Bytes;

use super::content::{set_abandoned_calls_aside, set_aside};
use super::decode;
use super::event::{self, Event};
use super::open_block::OpenBlock;
use super::wire;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Reply};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::codec::{Accumulate, Frames};
use crate::provider::failure::{cut, misplaced, place};
use crate::provider::ids::Ids;
use crate::raw_object::{RawObject, list};
use crate::stream::{StreamEvent, StreamedBlock};

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
#[derive(Debug)]
struct Growing {
    /// All but content and usage, as they came.
    fields: RawObject,
    usage: RawObject,
    /// By the index that the API has for them.
    open: HashMap<u64, OpenBlock>,
    /// By their place in the reply, in which they began; `None` for those that are open.
    blocks: Vec<Option<(Content, RawJson)>>,
    /// Calls before this place are another model's.
    seam: usize,
    ids: Ids,
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
}

impl Accumulate for Accumulator<'_> {
    type Event = Event;

    fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Event>, Error> {
        event::read(name, data)
    }

    fn add(&mut self, event: Event, told: &mut impl Extend<StreamEvent>) -> Result<(), Error> {
        match (event, &mut self.reply) {
            _ if self.is_over => Ok(()),
            (Event::MessageStart(message), before) => {
                let (reply, restart) = (Growing::new(&message)?, before.is_some());
                told.extend(restart.then_some(StreamEvent::Restart));
                told.extend([reply.usage()]);
                self.reply = Some(reply);
                Ok(())
            }
            (Event::BlockStart { index, block }, Some(reply)) => {
                reply.open_block(index, self.asked, block, told)
            }
            (Event::BlockDelta { index, delta }, Some(reply)) => {
                let block = reply.open.get_mut(&index);
                told.extend(block.and_then(|block| block.grow(delta)));
                Ok(())
            }
            (Event::BlockStop { index }, Some(reply)) => reply.close_block(index, told),
            (Event::MessageDelta { fields, usage }, Some(reply)) => {
                reply.fields.update(fields);
                reply.usage.update(usage);
                told.extend([reply.usage()]);
                Ok(())
            }
            (Event::MessageStop, Some(_)) => match self.finish(told)? {
                Some(reply) => {
                    told.extend([StreamEvent::Reply(reply)]);
                    Ok(())
                }
                None => Err(cut()),
            },
            (_, None) => Ok(()),
        }
    }

    fn finish(&mut self, _: &mut impl Extend<StreamEvent>) -> Result<Option<Reply>, Error> {
        let Some(reply) = self.reply.take_if(|reply| reply.is_whole()) else {
            return Ok(None);
        };
        self.is_over = true;
        let reply = reply.into_reply(self.asked.model, self.request_id());
        reply.map(Some)
    }

    fn request_id(&self) -> Option<String> {
        self.request_id.clone()
    }

    fn has_begun(&self) -> bool {
        self.is_over || self.reply.is_some()
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn partial(&mut self) -> Option<Reply> {
        let mut reply = self.reply.take()?;
        for (_, block) in reply.open.drain() {
            let place = block.place();
            if let Some(slot) = reply.blocks.get_mut(place) {
                *slot = block.close().ok();
            }
        }
        reply.into_reply(self.asked.model, self.request_id()).ok()
    }
}

impl Growing {
    fn new(message: &RawJson) -> Result<Self, Error> {
        let broken =
            |error| Error::protocol(format!("the reply begins with what is {}", place(&error)));
        // Read for what it lacks: at the end it would be too late to ask again.
        let _: wire::Reply<'_> = serde_json::from_str(message.as_str()).map_err(broken)?;
        let fields = RawObject::parse(message).map_err(broken)?;
        let usage = fields.get("usage").map(RawObject::parse);
        Ok(Self {
            usage: usage.and_then(Result::ok).unwrap_or_default(),
            fields,
            open: HashMap::new(),
            blocks: Vec::new(),
            seam: 0,
            ids: Ids::default(),
        })
    }

    fn usage(&self) -> StreamEvent {
        let told = !self.usage.is_empty();
        let usage = told.then(|| decode::usage(self.usage.compose()));
        StreamEvent::Usage(usage.unwrap_or_default())
    }

    fn is_whole(&self) -> bool {
        let reason = self.fields.get("stop_reason");
        self.open.is_empty() && reason.is_some_and(|reason| reason.as_str() != "null")
    }

    /// Blocks stand in the order in which they begin. Not by their index: some servers leave gaps, or begin with 1.
    fn open_block(
        &mut self,
        index: u64,
        asked: Asked<'_>,
        block: RawJson,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        let place = self.blocks.len();
        if self.open.contains_key(&index) {
            return Err(misplaced(
                "content",
                place,
                "a block began before the one of its index ended",
            ));
        }
        let block = OpenBlock::new(place, asked, block)
            .map_err(|reason| misplaced("content", place, &reason))?;
        if let Some(model) = block.fallback() {
            self.fall_back(place, model);
            // Before the block: that the reply goes on is no sign to begin a call that nobody wants any more.
            told.extend([StreamEvent::SetAside]);
        }
        let (start, first_part) = block.start();
        told.extend([start]);
        told.extend(first_part);
        self.blocks.push(None);
        self.open.insert(index, block);
        Ok(())
    }

    /// Another model answers from here on.
    fn fall_back(&mut self, place: usize, model: Option<RawJson>) {
        if let Some(model) = model {
            self.fields.set("model", model);
        }
        self.seam = place;
        self.ids.clear();
    }

    fn close_block(
        &mut self,
        index: u64,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<(), Error> {
        let Some(block) = self.open.remove(&index) else {
            return Ok(());
        };
        let (at, kept_input) = (block.place(), block.kept_input());
        let (mut content, mut json) = block
            .close()
            .map_err(|reason| misplaced("content", at, &reason))?;
        if at < self.seam {
            set_aside(&mut content, &mut json);
        }
        self.ids.claim(&content)?;
        told.extend(kept_input);
        let streamed = StreamedBlock::new(at, content.clone()).with_native(json.clone());
        told.extend([StreamEvent::BlockStop(streamed)]);
        if let Some(slot) = self.blocks.get_mut(at) {
            *slot = Some((content, json));
        }
        Ok(())
    }

    /// The reply of the blocks that are there.
    fn into_reply(mut self, model: &str, request_id: Option<String>) -> Result<Reply, Error> {
        let mut blocks = Blocks::default();
        for block in self.blocks.into_iter().flatten() {
            blocks.push(block);
        }
        set_abandoned_calls_aside(&mut blocks);
        self.fields.set("content", list(&blocks.native));
        if !self.usage.is_empty() {
            self.fields.set("usage", self.usage.compose());
        }
        let raw = self.fields.compose();
        let wire = serde_json::from_str(raw.as_str())
            .map_err(|error| Error::protocol(format!("the reply is {}", place(&error))))?;
        Ok(decode::whole(wire, raw.bytes(), blocks, model, request_id))
    }
}

#[cfg(test)]
mod tests;
