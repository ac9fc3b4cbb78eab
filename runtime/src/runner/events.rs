//! [`Event`] and [`TurnStream`]: a run as it happens.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::{Stream, StreamExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

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
    /// [eager](crate::Runner::eager).
    Reply(Reply),
    /// The run has ended. Only [`all_streaming`](crate::Runner::all_streaming) tells it, as its last event.
    End(End),
}

/// Where events are told. What is told stands in line until the program has taken it.
#[derive(Clone, Debug)]
pub(super) struct Sink {
    events: UnboundedSender<Event>,
    in_line: Arc<AtomicUsize>,
}

impl Sink {
    pub(super) fn send(&self, event: Event) {
        self.in_line.fetch_add(1, Ordering::AcqRel);
        // Where nobody listens any more, the run is being dropped.
        let _ = self.events.send(event);
    }

    /// Waits until the program has taken all that was told, so that nothing happens that it has not asked for.
    ///
    /// No waker is kept: the stream goes on when the program asks it for the next event.
    pub(super) async fn heard(&self) {
        poll_fn(|_| match self.in_line.load(Ordering::Acquire) {
            0 => Poll::Ready(()),
            _ => Poll::Pending,
        })
        .await;
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
pub struct TurnStream<'a> {
    /// Gone when it has ended.
    running: Option<Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>>,
    /// Told when all events are.
    error: Option<Error>,
    events: UnboundedReceiver<Event>,
    in_line: Arc<AtomicUsize>,
}

impl<'a> TurnStream<'a> {
    /// What `run` tells while it runs.
    pub(super) fn new<F>(run: impl FnOnce(Sink) -> F) -> Self
    where
        F: Future<Output = Result<(), Error>> + Send + 'a,
    {
        let (sender, events) = unbounded_channel();
        let in_line = Arc::new(AtomicUsize::new(0));
        let sink = Sink {
            events: sender,
            in_line: Arc::clone(&in_line),
        };
        Self {
            running: Some(Box::pin(run(sink))),
            error: None,
            events,
            in_line,
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

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        // `None` only when every sink is gone, and with it the run: then its future says so.
        match self.events.poll_recv(cx) {
            Poll::Ready(Some(event)) => {
                self.in_line.fetch_sub(1, Ordering::AcqRel);
                Poll::Ready(event)
            }
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }
}

impl Stream for TurnStream<'_> {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(event) = self.poll_event(cx) {
            return Poll::Ready(Some(Ok(event)));
        }
        if let Some(running) = &mut self.running {
            if let Poll::Ready(ended) = running.as_mut().poll(cx) {
                self.running = None;
                self.error = ended.err();
            }
            if let Poll::Ready(event) = self.poll_event(cx) {
                return Poll::Ready(Some(Ok(event)));
            }
        }
        match (self.error.take(), &self.running) {
            (Some(error), _) => Poll::Ready(Some(Err(error))),
            (None, Some(_)) => Poll::Pending,
            (None, None) => Poll::Ready(None),
        }
    }
}

impl fmt::Debug for TurnStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TurnStream(..)")
    }
}
