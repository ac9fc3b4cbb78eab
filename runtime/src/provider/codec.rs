//! [`Codec`]: how an API is read; and how its replies come, whole or event by event, whichever it is.

use std::collections::VecDeque;
use std::fmt;
use std::future::ready;

use bytes::Bytes;
use futures_util::stream::{iter, try_unfold};

use super::ModelCall;
use super::asked::Asked;
use super::failure::{cut, no_event, of_reply, unreadable};
use crate::error::Error;
use crate::message::Reply;
use crate::stream::{ReplyStream, StreamEvent};
use crate::surrogates::without_lone_surrogates;
use crate::transport::{Frame, HttpAnswer, HttpClient, HttpRequest, HttpStream};

/// How an API is read. What is asked of it is bytes by then.
pub(super) trait Codec: Copy + fmt::Debug + Send + Sync + 'static {
    type Accumulator<'a>: Accumulate;

    /// What errors call the API.
    const NAME: &'static str;
    /// The header with the id of a request.
    const REQUEST_ID: &'static str;

    /// Reads an error answer, or an error in a stream, whatever its body is. What a person should not see has been taken
    /// out.
    fn error(answer: &HttpAnswer) -> Error;

    /// Reads a reply that came whole.
    ///
    /// # Errors
    /// Where it is none.
    fn reply(answer: &HttpAnswer, asked: Asked<'_>) -> Result<Reply, Error>;

    /// For a reply that is to come.
    fn accumulator(asked: Asked<'_>, request_id: Option<String>) -> Self::Accumulator<'_>;
}

/// Puts a reply together from the events of its stream. It is pure, and ends in what a plain reply ends in.
pub(super) trait Accumulate: Send {
    type Event;

    /// Reads an event; `name` is what the stream calls it.
    ///
    /// # Errors
    /// Where a known event has not what it must have.
    fn read(name: Option<&str>, data: &Bytes) -> Result<Frames<Self::Event>, Error>;

    /// Takes an event in, and tells what it means. What comes before the begin or after the end means nothing.
    ///
    /// # Errors
    /// Where the reply breaks the protocol.
    fn add(&mut self, event: Self::Event, told: &mut impl Extend<StreamEvent>)
    -> Result<(), Error>;

    /// The reply, if all of it is there, after what is to be told before it. What is missing then is only a last word.
    ///
    /// # Errors
    /// Where the reply breaks the protocol.
    fn finish(&mut self, told: &mut impl Extend<StreamEvent>) -> Result<Option<Reply>, Error>;

    /// What is there of a reply whose rest does not come.
    fn partial(&mut self) -> Option<Reply>;

    /// Whether the reply has begun, or been given.
    fn has_begun(&self) -> bool;

    /// Whether a reply was given, after which nothing counts.
    fn is_over(&self) -> bool;

    fn request_id(&self) -> Option<String>;
}

/// What a frame of a stream is.
#[derive(Debug)]
pub(super) enum Frames<E> {
    Event(E),
    /// It says nothing, or is newer than haft.
    Nothing,
    /// The server gives up. The data is what an error answer's body is.
    Failed,
}

#[cfg(test)]
impl<E> Frames<E> {
    pub(super) fn event(self) -> Option<E> {
        match self {
            Self::Event(event) => Some(event),
            Self::Nothing | Self::Failed => None,
        }
    }
}

/// Asks for a whole reply, until one came or no retry is left.
///
/// # Errors
/// The last failure.
pub(super) async fn whole<C: Codec>(
    http: &HttpClient,
    request: HttpRequest,
    asked: Asked<'_>,
) -> Result<Reply, Error> {
    let read = |answer| read_answer::<C>(http, answer, asked);
    http.post(request, C::error, read).await
}

/// Reads a reply that came whole.
fn read_answer<C: Codec>(
    http: &HttpClient,
    mut answer: HttpAnswer,
    asked: Asked<'_>,
) -> Result<Reply, Error> {
    // A model may write half a character, and no string in which one stands can be read.
    answer.body = without_lone_surrogates(answer.body);
    C::reply(&answer, asked).or_else(|_| {
        // Read again without secrets, so that the error cannot quote one.
        let answer = http.readable(answer);
        let reply = C::reply(&answer, asked);
        reply.map_err(|error| unreadable(error, &answer, answer.header(C::REQUEST_ID)))
    })
}

/// Asks for a stream, until one has begun or no retry is left. Where only the reply is wanted, one begins with its end.
///
/// # Errors
/// The last failure.
pub(super) async fn open<'a, C: Codec>(
    http: &'a HttpClient,
    request: HttpRequest,
    call: ModelCall<'a>,
) -> Result<ReplyStream<'a>, Error> {
    let asked = Asked::from(call);
    let begin = |frames| begin::<C>(http, frames, asked, call.is_streamed());
    let opened = http.open(request, C::error, begin).await;
    opened.or_else(|error| match error.partial_reply() {
        // Nothing is told of it but what it took.
        Some(partial) => {
            let usage = StreamEvent::Usage(partial.usage().clone());
            Ok(ReplyStream::new(iter([Ok(usage), Err(error)])))
        }
        None => Err(error),
    })
}

/// Reads until content is there, after which nothing may be asked for again.
async fn begin<'a, C: Codec>(
    http: &'a HttpClient,
    frames: HttpStream,
    asked: Asked<'a>,
    is_streamed: bool,
) -> Result<ReplyStream<'a>, Error> {
    if !frames.is_event_stream() {
        // The server does not stream, though it was asked to.
        let answer = frames.whole_body().await?;
        let reply = read_answer::<C>(http, answer, asked)?;
        return Ok(ReplyStream::from_future(ready(Ok(reply))));
    }
    let mut incoming = Incoming::<C>::new(frames, asked);
    while !incoming.told.iter().any(is_content) {
        incoming.advance().await?;
        if !is_streamed {
            incoming.told.retain(is_reply);
        }
    }
    Ok(ReplyStream::new(try_unfold(
        incoming,
        |mut incoming| async {
            let event = incoming.next().await?;
            Ok(event.map(|event| (event, incoming)))
        },
    )))
}

/// What may be told once only. Before it stands no more than the usage.
const fn is_content(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::BlockStart { .. }) || is_reply(event)
}

const fn is_reply(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::Reply(_))
}

/// A reply whose frames still come.
struct Incoming<'a, C: Codec> {
    /// `None` once the reply is there.
    frames: Option<HttpStream>,
    accumulator: C::Accumulator<'a>,
    /// What is to be told next.
    told: VecDeque<StreamEvent>,
}

impl<'a, C: Codec> Incoming<'a, C> {
    fn new(frames: HttpStream, asked: Asked<'a>) -> Self {
        Self {
            accumulator: C::accumulator(asked, frames.header(C::REQUEST_ID)),
            frames: Some(frames),
            told: VecDeque::new(),
        }
    }

    async fn next(&mut self) -> Result<Option<StreamEvent>, Error> {
        while self.told.is_empty() && self.frames.is_some() {
            self.advance().await?;
        }
        Ok(self.told.pop_front())
    }

    /// Reads one frame, or the end. There is no wait behind that: who gives up a wait would lose what was read.
    async fn advance(&mut self) -> Result<(), Error> {
        let Some(frames) = &mut self.frames else {
            return Ok(());
        };
        let advanced = match frames.next().await {
            Ok(Some(frame)) => match read::<C>(frame, frames) {
                Ok(Some(event)) => self.accumulator.add(event, &mut self.told),
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            },
            Ok(None) if self.accumulator.has_begun() => self.end(cut),
            Ok(None) => Err(no_event(&frames.readable(Bytes::new()), C::NAME)),
            Err(error) => self.end(|| error),
        };
        if let Some(frames) = self.frames.take_if(|_| self.accumulator.is_over()) {
            frames.close();
        }
        advanced.map_err(|error| self.failed(error))
    }

    /// The end, whether the server has closed the stream or it broke: it counts only where something is missing.
    fn end(&mut self, error: impl FnOnce() -> Error) -> Result<(), Error> {
        let reply = self.accumulator.finish(&mut self.told)?;
        let reply = reply.ok_or_else(error)?;
        self.told.push_back(StreamEvent::Reply(reply));
        Ok(())
    }

    /// An error with what else is known: the request's id, and what was there of the reply.
    fn failed(&mut self, error: Error) -> Error {
        let error = of_reply(error, 200, self.accumulator.request_id());
        match self.accumulator.partial() {
            Some(reply) => error.with_partial_reply(reply),
            None => error,
        }
    }
}

type EventOf<'a, C> = <<C as Codec>::Accumulator<'a> as Accumulate>::Event;

fn read<'a, C: Codec>(
    mut frame: Frame,
    frames: &HttpStream,
) -> Result<Option<EventOf<'a, C>>, Error> {
    frame.data = without_lone_surrogates(frame.data);
    match C::Accumulator::read(frame.event(), &frame.data) {
        // Cut in the middle: what follows is the end, which says so.
        Err(_) if !frame.complete => Ok(None),
        Err(error) => Err(error),
        Ok(Frames::Event(event)) => Ok(Some(event)),
        Ok(Frames::Nothing) => Ok(None),
        Ok(Frames::Failed) => {
            let answer = frames.readable(frame.data);
            Err(C::error(&answer))
        }
    }
}

#[cfg(test)]
#[cfg(feature = "anthropic")]
mod tests;
