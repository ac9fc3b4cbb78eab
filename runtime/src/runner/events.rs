//! [`Event`] and [`TurnStream`]: a run as it happens.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::{Stream, StreamExt};

use super::End;
use crate::error::Error;
use crate::message::{Content, Reply, ToolCall, ToolResult};
use crate::tool::ProgressSink;

/// One thing that happens in a run, as [`Runner::next_streaming`](crate::Runner::next_streaming) and
/// [`Runner::all_streaming`](crate::Runner::all_streaming) tell it.
///
/// ```
/// use std::io::Write as _;
/// use haft::Event;
///
/// fn show(event: &Event) {
///     match event {
///         Event::Text(text) => print!("{text}"),
///         Event::ToolStarted(call) => println!("[{} {}]", call.name(), call.input()),
///         Event::ToolFinished(result) => println!("[{}]", result.text()),
///         _ => {}
///     }
///     // What has no line end yet is to be seen, too.
///     let _ = std::io::stdout().flush();
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The next part of what the model says.
    Text(String),
    /// The next part of its reasoning, as far as it is shown.
    Thinking(String),
    /// The model begins to write a call.
    CallStarted {
        /// The call's id.
        call_id: String,
        /// The name of the tool.
        name: String,
    },
    /// The next part of a call's input: JSON, when the parts are joined.
    CallInput {
        /// The call's id.
        call_id: String,
        /// The part.
        json: String,
    },
    /// The reply begins anew, as some servers do: what was told of it is void.
    Restarted,
    /// A tool starts to run, with this input.
    ToolStarted(ToolCall),
    /// A tool tells how far it is, by [`CallContext::progress`](crate::CallContext::progress).
    ToolProgress {
        /// The call's id.
        call_id: String,
        /// What it tells.
        content: Content,
    },
    /// A call has its result, whether its tool ran or not.
    ToolFinished(ToolResult),
    /// A reply is there whole. Its calls have not run yet, but for those that were
    /// [eager](crate::Runner::eager) and have begun.
    Reply(Reply),
    /// The run has ended. Only [`all_streaming`](crate::Runner::all_streaming) tells it, as its last event.
    End(Box<End>),
}

/// The events that the program has not taken yet, and who is to be woken when there is one.
#[derive(Debug, Default)]
struct Queue {
    events: VecDeque<Event>,
    waiting: Option<Waker>,
    /// Whether the run has ended, so that nothing follows any more.
    is_closed: bool,
}

/// Where events are told. What is told stands in line until the program has taken it.
#[derive(Clone, Debug, Default)]
pub(super) struct Sink(Arc<Mutex<Queue>>);

impl Sink {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing is done under the lock that panics half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn send(&self, event: Event) {
        let waiting = {
            let mut queue = self.queue();
            if queue.is_closed {
                return;
            }
            queue.events.push_back(event);
            queue.waiting.take()
        };
        // Of a tool on another thread; on the run's own, its stream looks by itself.
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }

    /// Waits until the program has taken all that was told, so that nothing happens that it has not asked for.
    ///
    /// No waker is kept: the stream goes on when the program asks it for the next event.
    pub(super) async fn drained(&self) {
        poll_fn(|_| {
            if self.queue().events.is_empty() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// Nothing is told any more: a thread of a blocking tool may outlast the run.
    fn close(&self) {
        self.queue().is_closed = true;
    }

    /// The next event, or else who is to be woken.
    fn poll(&self, cx: &Context<'_>) -> Poll<Event> {
        let mut queue = self.queue();
        match queue.events.pop_front() {
            Some(event) => Poll::Ready(event),
            None => {
                queue.waiting = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// For what calls tell of their progress.
    pub(super) fn progress(&self) -> ProgressSink {
        let sink = self.clone();
        ProgressSink::new(move |call_id, content| {
            let call_id = call_id.to_owned();
            sink.send(Event::ToolProgress { call_id, content });
        })
    }
}

/// What happens in one turn of a run, as a stream of [`Event`]s (see
/// [`Runner::next_streaming`](crate::Runner::next_streaming)). It borrows the runner, and nothing happens while it is
/// not asked for the next event. It ends after an error.
///
/// Dropping it stops what is under way. Results that are there stay, and the runner can go on: the turn is asked for
/// again.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Event, Request, Runner, StreamExt, Toolkit};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().text("Well, let me see ...").text("42");
/// let mut runner = Runner::new(model, Toolkit::new(), Request::new("any").user("6 times 7?"));
///
/// let mut turn = runner.next_streaming().await?.expect("it has not ended");
/// assert_eq!(turn.next().await.transpose()?, Some(Event::Text("Well, ".into())));
/// drop(turn); // enough of that
///
/// let turn = runner.next_streaming().await?.expect("it has not ended");
/// assert_eq!(turn.into_reply().await?.map(|reply| reply.text()).as_deref(), Some("42"));
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TurnStream<'a> {
    /// Gone when it has ended.
    running: Option<Running<'a>>,
    /// Told behind all others.
    last: Option<Result<Event, Error>>,
    sink: Sink,
}

/// What runs while a stream is asked for events, and gives the one behind all others.
type Running<'a> = Pin<Box<dyn Future<Output = Result<Option<Event>, Error>> + Send + 'a>>;

impl<'a> TurnStream<'a> {
    /// What `run` tells while it runs, and then what it gives.
    pub(super) fn new<F>(run: impl FnOnce(Sink) -> F) -> Self
    where
        F: Future<Output = Result<Option<Event>, Error>> + Send + 'a,
    {
        let sink = Sink::default();
        Self {
            running: Some(Box::pin(run(sink.clone()))),
            last: None,
            sink,
        }
    }

    /// Follows the stream to its end, and gives the last reply that it told, if it did.
    ///
    /// # Errors
    /// Where the turn fails.
    pub async fn into_reply(mut self) -> Result<Option<Reply>, Error> {
        let mut last = None;
        while let Some(event) = self.next().await.transpose()? {
            if let Event::Reply(reply) = event {
                last = Some(reply);
            }
        }
        Ok(last)
    }
}

impl Stream for TurnStream<'_> {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        {
            let mut queue = self.sink.queue();
            // Who was to be woken is here. What the run tells now is seen below.
            queue.waiting = None;
            if let Some(event) = queue.events.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
        }
        if let Some(running) = &mut self.running {
            if let Poll::Ready(ended) = running.as_mut().poll(cx) {
                self.running = None;
                self.last = ended.transpose();
                self.sink.close();
            }
            if let Poll::Ready(event) = self.sink.poll(cx) {
                return Poll::Ready(Some(Ok(event)));
            }
        }
        match self.running {
            Some(_) => Poll::Pending,
            None => Poll::Ready(self.last.take()),
        }
    }
}

impl Drop for TurnStream<'_> {
    fn drop(&mut self) {
        self.sink.close();
        self.sink.queue().events.clear();
    }
}

impl fmt::Debug for TurnStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnStream(..)")
    }
}
