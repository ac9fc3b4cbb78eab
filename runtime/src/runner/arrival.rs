//! A reply as it arrives: what is told of it, what is kept of it, and the calls of it that start before it is there.

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use super::calls::{Calls, Entry};
use super::events::Event;
use super::state::{Arriving, Spent};
use super::workers::{CallScope, Done, Workers};
use crate::error::Error;
use crate::message::{Content, Reply, StopReason, ToolCall};
use crate::stream::{ReplyStream, StreamEvent, StreamedBlock, without_reply};

/// A reply on its way, and the calls of it that start before it is there.
pub(super) struct Arrival<'a> {
    pub(super) scope: CallScope<'a>,
    pub(super) is_eager: bool,
    pub(super) calls: &'a mut Calls,
    pub(super) arriving: &'a mut Arriving,
    pub(super) usage: &'a mut Spent,
    pub(super) abandoned: &'a mut Vec<ToolCall>,
}

/// What comes next while a reply is on its way.
enum Arrived {
    Work(Done),
    Event(Option<Result<StreamEvent, Error>>),
    Cancel,
}

impl Arrival<'_> {
    /// Until the reply is there; `None` where the run is cancelled before.
    pub(super) async fn take_in_all<F: Future<Output = Done>>(
        &mut self,
        mut events: ReplyStream<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        loop {
            let may_begin_more = match self.next(&mut events, workers).await {
                Arrived::Work(done) => {
                    workers.take_in(self.calls, done);
                    true
                }
                Arrived::Event(event) => match self.unless_failed(event)? {
                    Some(StreamEvent::Reply(reply)) => return self.whole(reply).map(Some),
                    Some(event) => self.take_in(event)?,
                    None => return Err(without_reply()),
                },
                Arrived::Cancel => return Ok(None),
            };
            if self.is_eager && may_begin_more {
                self.begin_calls(workers);
            }
            if let Some(sink) = self.scope.sink {
                sink.drained().await;
            }
        }
    }

    /// What had come of a reply that failed was paid for, too.
    fn unless_failed(
        &mut self,
        event: Option<Result<StreamEvent, Error>>,
    ) -> Result<Option<StreamEvent>, Error> {
        if let Some(Err(error)) = &event
            && let Some(partial) = error.partial_reply()
        {
            self.usage.tell(partial.usage());
        }
        event.transpose()
    }

    /// Looks at a reply before anything follows from it.
    fn whole(&mut self, reply: Reply) -> Result<Reply, Error> {
        self.usage.tell(reply.usage());
        let mut seen = HashSet::new();
        if !reply.tool_calls().all(|call| seen.insert(call.id())) {
            return Err(same_id());
        }
        // What was refused is not answered, so it need not be there.
        let is_refused = *reply.stop_reason() == StopReason::Refusal;
        if !is_refused && !self.calls.are_in(reply.message()) {
            let reason = "the reply does not have a call where its stream has told it";
            return Err(Error::protocol(reason));
        }
        self.tell_unstreamed(&reply);
        Ok(reply)
    }

    async fn next<F: Future<Output = Done>>(
        &self,
        events: &mut ReplyStream<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Arrived {
        let arrival = async {
            match select(pin!(workers.next()), events.next()).await {
                Either::Left((done, _)) => Arrived::Work(done),
                Either::Right((event, _)) => Arrived::Event(event),
            }
        };
        let Some(token) = &self.scope.lent.cancellation else {
            return arrival.await;
        };
        // What is there in the moment of the end is not lost.
        match select(pin!(arrival), pin!(token.cancelled())).await {
            Either::Left((arrived, _)) => arrived,
            Either::Right(_) => Arrived::Cancel,
        }
    }

    /// A call starts once the model has moved on from it, unless it needs approval or is to run alone. All before it
    /// is whole then: else a reply that is cut could not be kept with the call.
    fn begin_calls<F: Future<Output = Done>>(&mut self, workers: &mut Workers<'_, F>) {
        let (scope, arriving) = (self.scope, &*self.arriving);
        let may_begin = |entry: &Entry| {
            let definition = scope.definition(&entry.call);
            let is_free = entry.call.toolset().is_none()
                && definition.is_some_and(|it| !it.is_exclusive() && !it.needs_approval());
            let has_moved_on = entry.index < arriving.newest;
            is_free
                && !arriving.is_held
                && has_moved_on
                && arriving.blocks.are_whole_to(entry.index)
        };
        workers.begin(self.calls, &may_begin);
    }

    /// Takes in what has arrived; whether a call may begin by that.
    fn take_in(&mut self, event: StreamEvent) -> Result<bool, Error> {
        self.tell(&event);
        let is_block = matches!(
            event,
            StreamEvent::BlockStart { .. } | StreamEvent::BlockStop(_)
        );
        match event {
            StreamEvent::BlockStart { index, content } => self.arriving.begin(index, &content),
            StreamEvent::BlockStop(block) if self.is_eager => self.keep(block)?,
            StreamEvent::SetAside => {
                self.abandon();
                self.arriving.is_held = true;
            }
            StreamEvent::Restart => {
                self.abandon();
                self.arriving.begin_anew();
            }
            StreamEvent::Usage(usage) => self.usage.tell(&usage),
            _ => {}
        }
        Ok(is_block)
    }

    fn keep(&mut self, block: StreamedBlock) -> Result<(), Error> {
        if let Content::ToolCall(call) = block.content() {
            if self.calls.iter().any(|entry| entry.call.id() == call.id()) {
                return Err(same_id());
            }
            self.calls.push(Entry::new(block.index(), call.clone()));
        }
        self.arriving.blocks.insert(block);
        Ok(())
    }

    /// Calls that have begun are not answered, since the reply will not have them.
    fn abandon(&mut self) {
        let calls = std::mem::take(self.calls);
        self.arriving.has_abandoned |= calls.begun().next().is_some();
        self.abandoned.extend(calls.begun().cloned());
    }

    /// Tells the program what arrives.
    fn tell(&mut self, event: &StreamEvent) {
        let Some(sink) = self.scope.sink else { return };
        self.arriving.is_told |= matches!(event, StreamEvent::BlockStart { .. });
        let told = match event {
            StreamEvent::BlockStart {
                content: Content::ToolCall(call),
                ..
            } => Event::CallStarted {
                call_id: call.id().to_owned(),
                name: call.name().to_owned(),
            },
            StreamEvent::TextDelta { text, .. } => Event::Text(text.clone()),
            StreamEvent::ThinkingDelta { text, .. } => Event::Thinking(text.clone()),
            StreamEvent::InputDelta { index, json } => match self.arriving.call_id(*index) {
                Some(call_id) => Event::CallInput {
                    call_id: call_id.to_owned(),
                    json: json.clone(),
                },
                None => return,
            },
            StreamEvent::Restart => Event::Restarted,
            _ => return,
        };
        sink.send(told);
    }

    /// A provider that does not stream has told nothing yet.
    fn tell_unstreamed(&mut self, reply: &Reply) {
        if self.scope.sink.is_none() || self.arriving.is_told {
            return;
        }
        for (index, content) in reply.content().iter().enumerate() {
            self.arriving.begin(index, content);
            for event in whole_block(index, content.clone()) {
                self.tell(&event);
            }
        }
    }
}

/// A block that came at once, as if it had come in parts.
fn whole_block(index: usize, content: Content) -> Vec<StreamEvent> {
    let delta = match &content {
        Content::Text(block) => {
            let text = block.text.clone();
            Some(StreamEvent::TextDelta { index, text })
        }
        Content::Thinking(block) => {
            let text = block.text.clone();
            Some(StreamEvent::ThinkingDelta { index, text })
        }
        Content::ToolCall(call) => {
            let json = call.input().as_str().to_owned();
            Some(StreamEvent::InputDelta { index, json })
        }
        _ => None,
    };
    let start = StreamEvent::BlockStart { index, content };
    [start].into_iter().chain(delta).collect()
}

/// Results are told apart by the ids of their calls.
fn same_id() -> Error {
    Error::protocol(
        "two calls of the reply have the same id, so their results could not be told apart; \
         the provider must give each an id of its own",
    )
}
