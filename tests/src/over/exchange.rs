//! One exchange: the scripted model is asked first, and what it tells is what the server sends and the provider reads.
//!
//! The time of a test may be one that jumps to the next timer whenever nothing else is to be done. Bytes that are on their
//! way are nothing to be done for the runtime, so nobody sleeps while there are some: the runtime is kept busy.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use haft::{Error, ErrorKind, ModelCall, ReplyStream, Stream, StreamEvent, StreamExt as _};

use super::dialect::{Dialect, Filled, Writer};
use super::fit;
use super::hub::{Hub, Seen};
use crate::fail;
use crate::live::Live;
use crate::server::ServerReply;

type Told = Result<StreamEvent, Error>;

/// How long bytes may be on their way on this machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the thread of the server has the processor for itself while bytes are awaited.
const BREATH: Duration = Duration::from_micros(100);
/// After so many looks in which nothing has come, and nothing is left to be sent, nothing is on its way. More than one,
/// since some of what comes is nothing to be told, and each piece takes a turn of the client's task.
const QUIET_LOOKS: usize = 30;

/// The reply to a call as its provider reads it.
pub(super) fn begin<'a>(
    hub: &'a Hub,
    dialect: Dialect,
    script: ReplyStream<'a>,
    call: ModelCall<'a>,
) -> ReplyStream<'a> {
    let told = Teller::default();
    let exchange = Exchange {
        hub,
        dialect,
        call,
        told: told.clone(),
    };
    ReplyStream::new(Events {
        work: Some(Box::pin(exchange.run(script))),
        told,
    })
}

/// What the work has to tell, one by one: it rests until it is taken.
#[derive(Clone, Default)]
struct Teller(Arc<Mutex<VecDeque<Told>>>);

impl Teller {
    async fn tell(&self, event: Told) {
        let told = self.0.lock();
        told.unwrap_or_else(PoisonError::into_inner)
            .push_back(event);
        let mut was_taken = false;
        poll_fn(|_| {
            // Whoever takes the event asks on by himself.
            if std::mem::replace(&mut was_taken, true) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    fn take(&self) -> Option<Told> {
        let told = self.0.lock();
        told.unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

struct Events<'a> {
    work: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
    told: Teller,
}

impl Stream for Events<'_> {
    type Item = Told;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Told>> {
        if let Some(work) = &mut self.work
            && work.as_mut().poll(context).is_ready()
        {
            self.work = None;
        }
        match self.told.take() {
            Some(event) => Poll::Ready(Some(event)),
            None if self.work.is_none() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

/// How the script goes on.
enum Next {
    Event(StreamEvent),
    /// It answers with a status.
    Failed(u16, Error),
    /// The connection breaks.
    Broke,
    /// It fails in a way that no server does.
    Wrong(Error),
    Over,
}

impl From<Option<Told>> for Next {
    fn from(next: Option<Told>) -> Self {
        match next {
            Some(Ok(event)) => Self::Event(event),
            Some(Err(error)) => match (error.status(), error.kind()) {
                (Some(status), _) => Self::Failed(status, error),
                (None, ErrorKind::Connection) => Self::Broke,
                (None, _) => Self::Wrong(error),
            },
            None => Self::Over,
        }
    }
}

struct Exchange<'a> {
    hub: &'a Hub,
    dialect: Dialect,
    call: ModelCall<'a>,
    told: Teller,
}

impl Exchange<'_> {
    async fn run(self, mut script: ReplyStream<'_>) {
        match Next::from(script.next().await) {
            Next::Failed(status, error) => {
                let message = error.provider_message().unwrap_or_default();
                let body = self.dialect.error(status, message);
                self.answer(ServerReply::json(status, &body)).await;
            }
            Next::Wrong(error) => self.told.tell(Err(error)).await,
            // Some servers do not stream, though they are asked to.
            first @ Next::Event(StreamEvent::Reply(_)) => self.whole(first, script).await,
            first if self.call.is_streamed() => self.stream(first, script).await,
            first => self.whole(first, script).await,
        }
    }

    /// The reply comes as one body.
    async fn whole(&self, first: Next, mut script: ReplyStream<'_>) {
        let mut next = first;
        let reply = loop {
            match next {
                Next::Event(StreamEvent::Reply(reply)) => break Some(reply),
                Next::Event(_) => next = script.next().await.into(),
                Next::Broke | Next::Failed(..) | Next::Wrong(_) | Next::Over => break None,
            }
        };
        let mut writer = self.writer();
        let answer = match reply {
            Some(reply) => ServerReply::json(200, &writer.body(&reply)),
            None => ServerReply::cut("{"),
        };
        self.answer(answer).await;
    }

    /// An answer that is known before the question.
    async fn answer(&self, answer: ServerReply) {
        let (provider, seen) = self.hub.exchange(self.dialect, answer);
        let mut answer = Answer::new(self, provider.send(self.call), seen);
        answer.tell_rest().await;
    }

    fn writer(&self) -> Box<dyn Writer> {
        self.dialect.writer(&self.call.request().model)
    }

    /// The reply is sent as it is told.
    async fn stream(&self, first: Next, mut script: ReplyStream<'_>) {
        let live = Live::new();
        let answer = ServerReply::sse_live(&live);
        let (provider, seen) = self.hub.exchange(self.dialect, answer);
        let mut answer = Answer::new(self, provider.send(self.call), seen);
        let (mut writer, mut filled) = (self.writer(), Filled::default());
        let mut next = first;
        loop {
            match next {
                Next::Event(event) => {
                    for event in filled.events(event) {
                        live.send(writer.frames(&event));
                    }
                }
                Next::Over => break live.end(),
                Next::Broke | Next::Failed(..) => break live.breaks(),
                Next::Wrong(error) => fail(error),
            }
            next = match now(&mut script).await {
                Poll::Ready(next) => next.into(),
                Poll::Pending => {
                    answer.tell_what_is_sent(&live).await;
                    script.next().await.into()
                }
            };
        }
        answer.tell_rest().await;
    }
}

/// What the provider reads.
struct Answer<'a> {
    stream: ReplyStream<'a>,
    seen: Seen,
    dialect: Dialect,
    told: Teller,
    is_over: bool,
}

impl<'a> Answer<'a> {
    fn new(exchange: &Exchange<'_>, stream: ReplyStream<'a>, seen: Seen) -> Self {
        Self {
            stream,
            seen,
            dialect: exchange.dialect,
            told: exchange.told.clone(),
            is_over: false,
        }
    }

    /// Whether something has come.
    async fn tell_next(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        let next = now(&mut self.stream).await;
        if let Some(body) = self.seen.take()
            && let Some(fault) = fit::fault(self.dialect, &body)
        {
            let body = String::from_utf8_lossy(&body);
            fail(format_args!("the API would refuse this: {fault}\n{body}"));
        }
        match next {
            Poll::Ready(Some(event)) => {
                self.is_over = event.is_err();
                self.told.tell(event).await;
                true
            }
            Poll::Ready(None) => {
                self.is_over = true;
                false
            }
            Poll::Pending => false,
        }
    }

    async fn tell_rest(&mut self) {
        let mut since = Instant::now();
        while !self.is_over {
            if self.tell_next().await {
                since = Instant::now();
            } else {
                wait(since).await;
            }
        }
    }

    /// All that is there of what was sent, before the script takes its time.
    async fn tell_what_is_sent(&mut self, live: &Live) {
        let mut since = Instant::now();
        let mut quiet = 0;
        while quiet < QUIET_LOOKS && !self.is_over {
            if self.tell_next().await {
                since = Instant::now();
                quiet = 0;
            } else {
                quiet += usize::from(live.is_drained());
                wait(since).await;
            }
        }
    }
}

/// What a stream has to say at once.
async fn now(stream: &mut ReplyStream<'_>) -> Poll<Option<Told>> {
    poll_fn(|context| Poll::Ready(Pin::new(&mut *stream).poll_next(context))).await
}

/// Lets others do something, but not the runtime's clock.
async fn wait(since: Instant) {
    if since.elapsed() > PATIENCE {
        fail("nothing comes from the server");
    }
    thread::sleep(BREATH);
    tokio::task::yield_now().await;
}
