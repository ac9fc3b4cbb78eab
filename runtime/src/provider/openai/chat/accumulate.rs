//! [`Accumulator`]: chunks of the API in, a reply that grows, and what is told of it out.

use bytes::Bytes;

use super::chunk::{self, Event};
use super::growing::Growing;
use crate::error::Error;
use crate::message::Reply;
use crate::provider::asked::Asked;
use crate::provider::codec::{Accumulate, Frames};
use crate::provider::failure::cut;
use crate::stream::{StreamEvent, StreamedBlock};

/// Puts a reply together from the chunks of its stream. It is pure, and ends in what a plain reply ends in.
#[derive(Debug)]
pub(super) struct Accumulator<'a> {
    asked: Asked<'a>,
    request_id: Option<String>,
    reply: Option<Growing>,
    /// The reply was given.
    is_over: bool,
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

    fn give(
        &mut self,
        mut reply: Growing,
        told: &mut impl Extend<StreamEvent>,
    ) -> Result<Reply, Error> {
        self.is_over = true;
        reply.close_all_calls(self.asked, told)?;
        let open = reply.open_places();
        let reply = reply.into_reply(self.asked, self.request_id.clone())?;
        let native = reply.message().native(&super::API);
        told.extend(open.into_iter().filter_map(|at| {
            let streamed = StreamedBlock::new(at, reply.content().get(at)?.clone());
            let json = native.and_then(|native| native.blocks.get(at));
            Some(StreamEvent::BlockStop(match json {
                Some(json) => streamed.with_native(json.clone()),
                None => streamed,
            }))
        }));
        Ok(reply)
    }
}

impl Accumulate for Accumulator<'_> {
    type Event = Event;

    fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Event>, Error> {
        chunk::read(name, data)
    }

    fn add(&mut self, event: Event, told: &mut impl Extend<StreamEvent>) -> Result<(), Error> {
        match event {
            _ if self.is_over => Ok(()),
            Event::Chunk(chunk) => {
                let asked = self.asked;
                let is_new = self.reply.is_none();
                let reply = self.reply.get_or_insert_default();
                reply.add(*chunk, is_new, asked, told)
            }
            Event::Done => match self.reply.take() {
                Some(reply) => {
                    let reply = self.give(reply, told)?;
                    told.extend([StreamEvent::Reply(reply)]);
                    Ok(())
                }
                None => Err(cut()),
            },
        }
    }

    fn finish(&mut self, told: &mut impl Extend<StreamEvent>) -> Result<Option<Reply>, Error> {
        let whole = self.reply.take_if(|reply| reply.finish_reason.is_some());
        whole.map(|reply| self.give(reply, told)).transpose()
    }

    fn partial(&mut self) -> Option<Reply> {
        let mut reply = self.reply.take()?;
        reply.leave_out_nameless();
        reply.close_all_calls(self.asked, &mut Vec::new()).ok()?;
        reply.into_reply(self.asked, self.request_id.clone()).ok()
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

#[cfg(test)]
mod tests;
