//! [`Told`]: a model whose events are written down one by one, for streams that no scripted reply makes.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use haft::{
    Api, Content, Error, Message, ModelCall, Provider, RawJson, Reply, ReplyStream, Role,
    StopReason, Stream, StreamEvent, StreamedBlock, ToolCall,
};

/// A model that tells the same at the same point of a run, however often it is asked.
#[derive(Clone, Debug)]
pub struct Told(Arc<Vec<Vec<StreamEvent>>>);

impl Told {
    /// With what it tells for each reply of the run.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Vec<StreamEvent>>) -> Self {
        Self(Arc::new(replies.into_iter().collect()))
    }
}

impl Provider for Told {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let events = self.0.get(call.turn()).cloned().unwrap_or_default();
        ReplyStream::new(Events(events.into()))
    }
}

struct Events(VecDeque<StreamEvent>);

impl Stream for Events {
    type Item = Result<StreamEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}

/// A call with an empty input.
#[must_use]
pub fn call(id: &str, name: &str) -> Content {
    Content::ToolCall(ToolCall::new(id, name, RawJson::empty_object()))
}

/// A block begins.
#[must_use]
pub fn begins(index: usize, content: Content) -> StreamEvent {
    StreamEvent::BlockStart { index, content }
}

/// A block is whole.
#[must_use]
pub const fn ends(index: usize, content: Content) -> StreamEvent {
    StreamEvent::BlockStop(StreamedBlock::new(index, content))
}

/// The reply is whole: its blocks, as they come in a stream, and the reply.
#[must_use]
pub fn reply(content: Vec<Content>, stop_reason: StopReason) -> Vec<StreamEvent> {
    let mut events = Vec::new();
    for (index, block) in content.iter().enumerate() {
        events.push(begins(index, block.clone()));
        if let Some(text) = block.as_text() {
            let text = text.to_owned();
            events.push(StreamEvent::TextDelta { index, text });
        }
        if let Some(call) = block.as_tool_call() {
            let json = call.input().as_str().to_owned();
            events.push(StreamEvent::InputDelta { index, json });
        }
        events.push(ends(index, block.clone()));
    }
    events.push(whole(content, stop_reason));
    events
}

/// Only the end of a reply.
#[must_use]
pub fn whole(content: Vec<Content>, stop_reason: StopReason) -> StreamEvent {
    StreamEvent::Reply(Reply::new(
        Message::new(Role::Assistant, content),
        stop_reason,
    ))
}
