//! [`Calling`]: one answer on its way, through the provider of an API.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use haft::{Error, ModelCall, Provider, Stream, StreamEvent, StreamExt};

use super::Line;
use super::answer::{answer, body};
use super::desk::Order;
use crate::executor::pause;
use crate::replies::draw;
use crate::world::Shared;

type Told = Result<StreamEvent, Error>;

/// One answer on its way.
pub(crate) struct Calling<'a> {
    shared: Shared,
    line: Arc<Line>,
    /// What is asked, until it was looked at: nothing happens before the stream is.
    call: Option<ModelCall<'a>>,
    attempt: usize,
    telling: Option<Telling<'a>>,
}

impl<'a> Calling<'a> {
    pub(crate) const fn new(shared: Shared, line: Arc<Line>, call: ModelCall<'a>) -> Self {
        Self {
            shared,
            line,
            call: Some(call),
            attempt: 0,
            telling: None,
        }
    }

    /// Looks at what is asked, leaves the answer with the server, and has the provider ask for it.
    fn ask(&mut self, call: ModelCall<'a>) {
        let mut world = self.shared.world();
        world.asked(call);
        self.attempt = world.attempts.len() - 1;
        let steps = draw(&mut world);
        let attempt = &world.attempts[self.attempt];
        let writer = self.line.writer(self.attempt, attempt);
        let asked = self.line.asked(attempt);
        let is_lost = world.happens(10);
        let memory = self.line.memory(body(&world, &*writer), is_lost);
        let order = Order {
            shared: self.shared.clone(),
            asked,
            reply: Some(answer(&mut world, writer, steps)),
            memory,
        };
        drop(world);
        self.telling = Some(Telling::new(self.line.leave(order), call));
    }
}

impl Stream for Calling<'_> {
    type Item = Told;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Told>> {
        if let Some(call) = self.call.take() {
            self.ask(call);
        }
        let Some(telling) = &mut self.telling else {
            return Poll::Ready(None);
        };
        let told = ready!(telling.poll_next(context));
        let mut world = self.shared.world();
        match &told {
            Some(Ok(event)) => world.told(self.attempt, event),
            Some(Err(error)) => {
                world.note(|| format!("  {error}"));
                world.failed();
            }
            None => world.failed(),
        }
        drop(world);
        if !matches!(told, Some(Ok(ref event)) if !matches!(event, StreamEvent::Reply(_))) {
            self.telling = None;
        }
        Poll::Ready(told)
    }
}

/// One that is dropped before its end may still have its request on the way.
impl Drop for Calling<'_> {
    fn drop(&mut self) {
        if self.telling.take().is_some() {
            self.line.hang_up();
        }
    }
}

/// The stream of a provider, together with the provider, which it borrows: a future that leaves each event here, and goes
/// on when it was taken.
struct Telling<'a> {
    left: Arc<Mutex<Option<Told>>>,
    future: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl<'a> Telling<'a> {
    fn new(provider: Arc<dyn Provider>, call: ModelCall<'a>) -> Self {
        let left = Arc::new(Mutex::new(None));
        let leaving = Arc::clone(&left);
        let future = Box::pin(async move {
            let mut stream = provider.send(call);
            while let Some(told) = stream.next().await {
                *leaving.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
                pause(false).await;
            }
        });
        Self { left, future }
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Told>> {
        let polled = self.future.as_mut().poll(context);
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        match left.take() {
            Some(told) => Poll::Ready(Some(told)),
            None => polled.map(|()| None),
        }
    }
}
