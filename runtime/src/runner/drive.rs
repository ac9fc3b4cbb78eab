//! The ways to drive a run, all of them loops over one turn.

use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};

use super::Runner;
use super::events::{Event, Sink, TurnStream};
use super::outcome::End;
use super::step::{Happened, Next};
use super::workers::{CallScope, workers};
use crate::error::Error;
use crate::message::{Reply, ToolResult};

impl Runner {
    /// Runs until the model is done.
    ///
    /// # Errors
    /// Where a request fails for good. Calling it again goes on from there.
    pub async fn run_to_completion(&mut self) -> Result<End, Error> {
        while self.next_message().await?.is_some() {}
        Ok(self.end())
    }

    /// Runs what the last reply asked for, then asks for the next: each reply once, and `None` at
    /// the end.
    ///
    /// After the end was told by `None`, calling it again goes on with nothing new, where that can
    /// lead to something: a reply that was cut is asked for again, and a pause resumed.
    ///
    /// For programs that look at each reply before its calls run; else
    /// [`run_to_completion`](Self::run_to_completion) is shorter.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// while let Some(reply) = runner.next_message().await? {
    ///     println!("{}", reply.text());
    ///     for call in reply.tool_calls() {
    ///         println!("about to call {} with {}", call.name(), call.input());
    ///     }
    /// }
    /// println!("{:?}", runner.outcome());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the request fails for good; calling it again sends it again, and runs no finished call
    /// twice.
    pub async fn next_message(&mut self) -> Result<Option<Reply>, Error> {
        self.go_on();
        let result = self.turn(None).await;
        self.state.end_is_told = matches!(result, Ok(None));
        result
    }

    /// The next turn as a stream of [`Event`]s, or `None` at the end: first the calls of the last reply run, then the
    /// model is asked, and its reply told as it arrives. Its last event is [`Event::Reply`]: that reply's calls run as
    /// the first events of the next turn. With [`eager`](Self::eager) they run in this stream, so that what becomes of
    /// them is told behind [`Event::Reply`], and the stream ends when they have ended. Where the run comes to an end
    /// before a reply, the stream ends without one.
    ///
    /// This returns at once; all happens while the stream is asked for events. A stream that is dropped early leaves
    /// the run as it was before the turn, but for the results that were there, and goes on from there the next time.
    /// To use the runner between two turns, as in the example `turn_by_turn`, take the stream by `let .. else`: in a
    /// `while let` it is borrowed to the end of the block.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// use haft::{Event, StreamExt};
    ///
    /// while let Some(mut turn) = runner.next_streaming().await? {
    ///     while let Some(event) = turn.next().await {
    ///         match event? {
    ///             Event::Text(text) => print!("{text}"),
    ///             Event::Reply(reply) => println!(" ({} tokens)", reply.usage().output),
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// println!("{:?}", runner.outcome());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the tools cannot be offered. What fails later is an error of the stream, which then ends.
    pub async fn next_streaming(&mut self) -> Result<Option<TurnStream<'_>>, Error> {
        self.go_on();
        if let Next::End(_) = self.next() {
            self.step_if_cancelled();
            self.state.end_is_told = true;
            self.error = None;
            return Ok(None);
        }
        self.offer_tools().map_err(|error| self.failed(error))?;
        Ok(Some(TurnStream::new(|sink| async move {
            self.turn(Some(&sink)).await.map(|_| None)
        })))
    }

    /// What follows the last thing that the program heard, where that was the end.
    fn go_on(&mut self) {
        self.settle();
        self.state.notice_edits();
        if std::mem::take(&mut self.state.end_is_told) {
            self.step(Happened::WentOn);
        }
    }

    /// One turn; `None` where the run has ended before a reply.
    async fn turn(&mut self, sink: Option<&Sink>) -> Result<Option<Reply>, Error> {
        let result = self.turn_to_reply(sink).await;
        self.error = None;
        result.map_err(|error| self.failed(error))
    }

    async fn turn_to_reply(&mut self, sink: Option<&Sink>) -> Result<Option<Reply>, Error> {
        self.settle();
        self.state.notice_edits();
        loop {
            match self.next() {
                Next::End(_) => {
                    self.step_if_cancelled();
                    return Ok(None);
                }
                Next::RunCalls => {
                    self.work_off_calls(sink).await;
                    self.answered();
                }
                Next::Ask(asking) => return self.ask(sink, asking).await,
            }
            if let Some(sink) = sink {
                sink.drained().await;
            }
        }
    }

    /// Runs the pending calls, as far as they can run without the program.
    async fn work_off_calls(&mut self, sink: Option<&Sink>) {
        let lent = self.lent(sink);
        let scope = CallScope {
            toolkit: &self.toolkit,
            of_request: &self.state.request.tools,
            hooks: &self.hooks,
            max_running: self.settings.max_running,
            lent: &lent,
            sink,
        };
        let calls = &mut self.state.calls;
        calls.begin_anew();
        workers(scope).work_off(calls, &|_| true).await;
    }

    /// What follows when calls have run.
    fn answered(&mut self) {
        self.step(Happened::Answered);
        self.step_if_cancelled();
    }

    /// Runs the calls of the last reply now, and not with the next message. The results, in the order of the calls;
    /// none where no calls are pending, the run is capped, or some wait for a decision.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// while let Some(reply) = runner.next_message().await? {
    ///     for result in runner.run_calls().await? {
    ///         println!("{}: {}", result.name(), result.text());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// None today: what fails is in the results.
    pub async fn run_calls(&mut self) -> Result<Vec<ToolResult>, Error> {
        self.settle();
        self.state.notice_edits();
        if self.next() != Next::RunCalls {
            return Ok(Vec::new());
        }
        // An end that follows from them has not been told.
        self.state.end_is_told = false;
        self.work_off_calls(None).await;
        let results = self.state.calls.results().unwrap_or_default();
        self.answered();
        Ok(results)
    }

    /// All replies, one by one.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// use haft::StreamExt;
    ///
    /// let mut replies = runner.all();
    /// while let Some(reply) = replies.next().await {
    ///     println!("{}", reply?.text());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn all(&mut self) -> impl Stream<Item = Result<Reply, Error>> + Send + Unpin {
        // The stream ends after an error, too: a consumer that logs and goes on does not spin.
        let replies = unfold(Some(self), |runner| async {
            let runner = runner?;
            match runner.next_message().await {
                Ok(Some(reply)) => Some((Ok(reply), Some(runner))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        });
        Box::pin(replies.fuse())
    }

    /// The whole run as a stream of [`Event`]s: all turns, and [`Event::End`] at the end. It ends after an error, too.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// use haft::{Event, StreamExt};
    ///
    /// let mut events = runner.all_streaming();
    /// while let Some(event) = events.next().await {
    ///     match event? {
    ///         Event::Text(text) => print!("{text}"),
    ///         Event::ToolStarted(call) => println!("{} ...", call.name()),
    ///         Event::End(end) => println!("{:?}", end.outcome),
    ///         _ => {}
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn all_streaming(&mut self) -> impl Stream<Item = Result<Event, Error>> + Send + Unpin {
        TurnStream::new(|sink| async move {
            self.go_on();
            while self.turn(Some(&sink)).await?.is_some() {
                sink.drained().await;
            }
            self.state.end_is_told = true;
            Ok(Some(Event::End(Box::new(self.end()))))
        })
    }
}
