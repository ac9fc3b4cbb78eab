//! [`Runner`]: holds a conversation, runs the tools that the model calls, and goes on until the model is done.
//!
//! What is to be done next is decided in [`step`], without any I/O; this file and [`turn`] do it.

mod calls;
mod decide;
mod events;
mod hook;
mod outcome;
mod repeats;
mod saved;
mod settings;
mod state;
mod step;
mod turn;
mod workers;

use std::fmt;
use std::sync::Arc;

use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;

use self::events::Sink;
pub use self::events::{Event, TurnStream};
pub use self::hook::{Decision, Hook, HookCall, HookError, HookFuture};
pub use self::outcome::{CapPolicy, End, Outcome};
pub use self::saved::RunState;
use self::settings::Settings;
use self::state::State;
use self::step::{Happened, Limits, Next};
use self::workers::{Shop, workers};
use crate::error::Error;
use crate::history::Checked;
use crate::message::{Message, Reply, ToolResult, Usage};
use crate::provider::Provider;
use crate::request::Request;
use crate::tool::Lent;
use crate::toolkit::{Definitions, RequestTool, Toolkit};

/// Holds a conversation with a model, and runs the tools that it calls.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Request, Runner, tool, toolkit};
/// use haft::serde_json::json;
///
/// /// Adds two integers.
/// #[tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().calls([("add", json!({"a": 2, "b": 3}))]).text("It is 5.");
/// let request = Request::new("any").user("What is 2 and 3?");
/// let mut runner = Runner::new(model, toolkit![add], request);
/// let end = runner.run_to_completion().await?;
/// assert_eq!(end.reply.text(), "It is 5.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A failed request loses nothing: the results of tools stay, and going on sends the same request
/// again.
pub struct Runner {
    provider: Box<dyn Provider>,
    toolkit: Toolkit,
    state: State,
    settings: Settings,
    hooks: Vec<Box<dyn Hook>>,
    cancellation: Option<CancellationToken>,
    offered: Option<Offered>,
    checked: Checked,
    error: Option<Error>,
}

/// The tools of the last request, with what they were made of.
#[derive(Debug)]
struct Offered {
    toolkit: Toolkit,
    of_request: Arc<Vec<RequestTool>>,
    definitions: Definitions,
}

impl Runner {
    /// A run that has not begun.
    pub fn new(provider: impl Provider + 'static, toolkit: Toolkit, request: Request) -> Self {
        Self {
            provider: Box::new(provider),
            toolkit,
            state: State::new(request),
            settings: Settings::default(),
            hooks: Vec::new(),
            cancellation: None,
            offered: None,
            checked: Checked::default(),
            error: None,
        }
    }

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
    /// model is asked, and its reply told as it arrives. It ends with [`Event::Reply`], with [eager](Self::eager) calls
    /// when those have ended, or without a reply where the run has come to an end.
    ///
    /// This returns at once; all happens while the stream is asked for events. A stream that is dropped early leaves
    /// the run as it was before the turn, but for the results that were there, and goes on from there the next time.
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
                Next::RunCalls => self.work_off_calls(sink).await,
                Next::Ask { is_last } => return self.ask(sink, is_last).await,
            }
            if let Some(sink) = sink {
                sink.heard().await;
            }
        }
    }

    /// Runs the pending calls, as far as they can run without the program.
    async fn work_off_calls(&mut self, sink: Option<&Sink>) {
        let lent = self.lent(sink);
        let shop = Shop {
            toolkit: &self.toolkit,
            of_request: &self.state.request.tools,
            hooks: &self.hooks,
            max_running: self.settings.max_running,
            lent: &lent,
            sink,
        };
        let calls = &mut self.state.calls;
        calls.nothing_is_busy();
        workers(shop).work_off(calls, &|_| true).await;
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
        let before = self.state.request.messages.len();
        self.work_off_calls(None).await;
        let added = self.state.request.messages.get(before..);
        let results = added
            .unwrap_or_default()
            .iter()
            .flat_map(Message::tool_results);
        Ok(results.cloned().collect())
    }

    /// All replies, one by one.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// use std::pin::pin;
    /// use haft::StreamExt;
    ///
    /// let mut replies = pin!(runner.all());
    /// while let Some(reply) = replies.next().await {
    ///     println!("{}", reply?.text());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn all(&mut self) -> impl Stream<Item = Result<Reply, Error>> {
        // The stream ends after an error, too: a consumer that logs and goes on does not spin.
        unfold(Some(self), |runner| async {
            let runner = runner?;
            match runner.next_message().await {
                Ok(Some(reply)) => Some((Ok(reply), Some(runner))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        })
        .fuse()
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
        self.go_on();
        TurnStream::new(|sink| async move {
            while self.turn(Some(&sink)).await?.is_some() {
                sink.heard().await;
            }
            self.state.end_is_told = true;
            Ok(Some(Event::End(Box::new(self.end()))))
        })
    }

    fn limits(&self) -> Limits {
        self.settings.limits(self.is_cancelled())
    }

    fn is_cancelled(&self) -> bool {
        let token = self.cancellation.as_ref();
        token.is_some_and(CancellationToken::is_cancelled)
    }

    fn next(&self) -> Next {
        step::next(&self.state, &self.limits())
    }

    fn step(&mut self, happened: Happened<'_>) {
        let limits = self.limits();
        step::step(&mut self.state, happened, &limits);
    }

    fn step_if_cancelled(&mut self) {
        if self.next() == Next::End(Outcome::Cancelled) {
            self.step(Happened::Cancelled);
        }
    }

    /// Deals with a turn that was dropped before its reply was there.
    fn settle(&mut self) {
        self.state.settle(&self.provider.api());
    }

    /// Keeps what made a turn fail, with where the run stands.
    fn failed(&mut self, error: Error) -> Error {
        let (started, finished) = self.state.fates();
        let error = error.of_run(self.state(), started, finished);
        self.error = Some(error.clone());
        error
    }

    /// What the calls of the last reply are given.
    fn lent(&self, sink: Option<&Sink>) -> Lent {
        Lent {
            turn: self.state.turn(),
            cancellation: self.cancellation.clone(),
            progress: sink.map(Sink::progress),
        }
    }

    /// Puts the tools of the toolkit and of the request together, if either has changed.
    fn offer_tools(&mut self) -> Result<(), Error> {
        let of_request = &self.state.request.tools;
        let is_current = self.offered.as_ref().is_some_and(|last| {
            last.toolkit.is_same(&self.toolkit) && Arc::ptr_eq(&last.of_request, of_request)
        });
        if !is_current {
            let definitions = Definitions::merge(&self.toolkit, of_request)?;
            let (toolkit, of_request) = (self.toolkit.clone(), Arc::clone(of_request));
            self.offered = Some(Offered {
                toolkit,
                of_request,
                definitions,
            });
        }
        Ok(())
    }

    /// How the run stands: the last reply, and what ended it.
    fn end(&self) -> End {
        let reply = self.state.last_reply.clone().unwrap_or_else(Reply::empty);
        // Only asked at the end of a run.
        let outcome = self.outcome().unwrap_or(Outcome::Completed);
        End {
            reply,
            outcome,
            usage: self.state.usage.total.clone(),
            abandoned: self.state.abandoned.clone(),
        }
    }

    /// How the run ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.next() {
            Next::End(outcome) => Some(outcome),
            Next::Ask { .. } | Next::RunCalls => None,
        }
    }

    /// Adds messages of the user. Those given while calls are pending come after their results; on
    /// a run that has ended they open it again.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Message, Request, Runner, Toolkit};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let model = ScriptedModel::new().text("Hello!").text("Fine.");
    /// let mut runner = Runner::new(model, Toolkit::new(), Request::new("any").user("Hi"));
    /// runner.run_to_completion().await?;
    /// runner.append_messages([Message::user("How are you?")]);
    /// assert_eq!(runner.run_to_completion().await?.reply.text(), "Fine.");
    /// assert_eq!(runner.messages().len(), 4);
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append_messages(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.settle();
        self.step(Happened::Appended(messages.into_iter().collect()));
    }

    /// What is asked next, to be changed between two turns. Its messages are the whole history;
    /// removing the last reply, or putting a copy in its place, removes its pending calls, and a
    /// result put behind it is the call's answer. A run that has ended is opened again by
    /// [`append_messages`](Self::append_messages), not by a message put here.
    ///
    /// ```
    /// # use haft::{Error, Runner};
    /// use haft::ToolChoice;
    ///
    /// # async fn example(mut runner: Runner) -> Result<(), Error> {
    /// while let Some(reply) = runner.next_message().await? {
    ///     // Enough was looked up: it is to answer now.
    ///     if reply.usage().input > 100_000 {
    ///         runner.request_mut().tool_choice = Some(ToolChoice::None);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn request_mut(&mut self) -> &mut Request {
        self.settle();
        &mut self.state.request
    }

    /// What is asked next.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.state.request
    }

    /// The history, as it could be sent now: pending calls are answered by a placeholder.
    ///
    /// [`request`](Self::request) has the history as it is, perhaps with calls that wait for their
    /// results.
    ///
    /// ```
    /// # use haft::Runner;
    /// # fn example(runner: Runner) {
    /// for message in runner.messages() {
    ///     println!("{:?}: {}", message.role(), message.text());
    ///     for result in message.tool_results() {
    ///         println!("{} said {}", result.name(), result.text());
    ///     }
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        step::sendable(&self.state, &self.provider.api())
    }

    /// The last reply.
    #[must_use]
    pub fn last_message(&self) -> Option<&Reply> {
        self.state.last_reply.as_ref()
    }

    /// How many replies were received.
    #[must_use]
    pub fn iteration_count(&self) -> usize {
        self.state.iterations
    }

    /// Whether the run has ended, for whatever reason.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.outcome().is_some()
    }

    /// What made the last turn fail; `None` after one that went well.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// The tokens so far, those of streams that were cut or dropped included.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.state.usage.total
    }

    /// Goes on with another provider, from the next request.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Request, Runner, Toolkit};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let busy = ScriptedModel::new().fails(529, "Overloaded");
    /// let spare = ScriptedModel::new().text("Hi");
    /// let mut runner = Runner::new(busy, Toolkit::new(), Request::new("large").user("Hello"));
    /// if runner.run_to_completion().await.is_err_and(|error| error.is_retryable()) {
    ///     runner.set_provider(spare);
    ///     runner.request_mut().model = "small".into();
    /// }
    /// assert_eq!(runner.run_to_completion().await?.reply.model(), "small");
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_provider(&mut self, provider: impl Provider + 'static) {
        self.provider = Box::new(provider);
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("provider", &self.provider)
            .field("toolkit", &self.toolkit)
            .field("state", &self.state)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
