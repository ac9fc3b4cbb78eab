//! [`Model`]: the provider of a script. It writes down what it is asked and what it hands out.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use haft::{
    Api, Error, ErrorKind, Message, ModelCall, Provider, ReplyStream, Stream, StreamEvent,
    ToolChoice,
};

use crate::http::{Calling, Line};
use crate::replies::{Step, brief, draw};
use crate::speech::Speech;
use crate::world::{Attempt, Shared, World};

/// A model that answers whatever comes to its mind.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) shared: Shared,
    pub(crate) speech: &'static Speech,
    /// How it is reached, where that is not in the process.
    pub(crate) line: Option<Arc<Line>>,
}

impl Provider for Model {
    fn api(&self) -> Api {
        self.speech.api.clone()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        if let Some(line) = &self.line {
            return ReplyStream::new(Calling::new(self.shared.clone(), line.clone(), call));
        }
        ReplyStream::new(Playing {
            shared: self.shared.clone(),
            call: Some(call),
            attempt: 0,
            steps: VecDeque::new(),
        })
    }
}

/// One answer on its way.
struct Playing<'a> {
    shared: Shared,
    /// What is asked, until it was looked at: nothing happens before the stream is.
    call: Option<ModelCall<'a>>,
    attempt: usize,
    steps: VecDeque<Step>,
}

impl Stream for Playing<'_> {
    type Item = Result<StreamEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let shared = self.shared.clone();
        let mut world = shared.world();
        if let Some(call) = self.call.take() {
            world.asked(call);
            self.attempt = world.attempts.len() - 1;
            self.steps = draw(&mut world);
        }
        Poll::Ready(match self.steps.pop_front() {
            Some(Step::Wait) => {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            Some(Step::Tell(event)) => {
                world.told(self.attempt, &event);
                Some(Ok(event))
            }
            Some(Step::Fail) => {
                world.failed();
                Some(Err(Error::new(ErrorKind::Connection, "the script cuts it")))
            }
            None => {
                world.failed();
                None
            }
        })
    }
}

impl World {
    /// Looks at a request, and writes it down.
    pub(crate) fn asked(&mut self, call: ModelCall<'_>) {
        let request = call.request();
        self.note(|| {
            let messages = request.messages.iter();
            let messages: Vec<_> = messages.map(|message| brief(message.content())).collect();
            format!("  request: [{}]", messages.join("] ["))
        });
        self.judge_request(
            &request.messages,
            request.tool_choice == Some(ToolChoice::None),
        );
        let delivered = self.delivered().count();
        // A cut reply that was kept counts, too.
        if !(delivered..=self.attempts.len()).contains(&call.turn()) {
            self.fault(format!("turn {} after {delivered} replies", call.turn()));
        }
        self.is_edited = false;
        if self.pauses > 10 {
            self.pauses = 0;
        }
        self.attempts.push(Attempt {
            sent: request.messages.clone(),
            turn: delivered + 1,
            is_streamed: call.is_streamed(),
            ..Attempt::default()
        });
    }

    pub(crate) fn failed(&mut self) {
        self.note(|| "  the stream fails".to_owned());
        self.failures += 1;
    }

    /// An event is handed out.
    pub(crate) fn told(&mut self, attempt: usize, event: &StreamEvent) {
        self.judge_told(attempt, event);
        let is_last = attempt + 1 == self.attempts.len();
        let record = &mut self.attempts[attempt];
        let take = record.takes.get_mut(record.now);
        match (event, take) {
            (StreamEvent::BlockStart { index, .. }, Some(take)) => {
                take.newest = take.newest.max(*index);
                take.begun = take.begun.max(*index + 1);
            }
            (StreamEvent::BlockStop(block), Some(take)) => take.stopped.push(block.index()),
            (StreamEvent::SetAside, Some(take)) => {
                (take.is_set_aside, take.aside) = (true, take.begun);
            }
            (StreamEvent::Restart, _) => record.now += 1,
            (StreamEvent::Usage(usage), _) => record.usage = usage.clone(),
            (StreamEvent::Reply(reply), _) => {
                record.usage = reply.usage().clone();
                record.now = record.takes.len() - 1;
                record.reply = Some(reply.clone());
                let is_pause = record.is_pause();
                self.pauses = if is_pause { self.pauses + 1 } else { 0 };
                self.is_end_told = false;
                self.note(|| "  the reply is there".to_owned());
            }
            _ => {}
        }
        if !is_last {
            self.fault("an answer is read although another was asked for");
        }
    }

    /// Whether a history is that of the last request, and more.
    pub(crate) fn goes_on_from_last(&self, messages: &[Message]) -> bool {
        self.attempts
            .last()
            .is_none_or(|last| messages.starts_with(&last.sent))
    }
}
