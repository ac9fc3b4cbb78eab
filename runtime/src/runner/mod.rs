//! [`Runner`]: holds a conversation, runs the tools that the model calls, and goes on until the model is done.
//!
//! What is to be done next is decided in [`step`], without any I/O; [`drive`] and [`turn`] do it.

mod answers;
mod arrival;
mod calls;
mod changes;
mod closing;
mod compaction;
mod decide;
mod drive;
mod events;
mod hook;
mod leads;
mod outcome;
mod plan;
mod repeats;
mod saved;
mod settings;
mod state;
mod step;
mod turn;
mod workers;

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use self::events::Sink;
pub use self::events::{Event, TurnStream};
pub use self::hook::{Decision, Hook, HookCall, HookError, HookFuture};
pub use self::outcome::{CapPolicy, End, Outcome};
pub use self::saved::RunState;
use self::settings::Settings;
use self::state::State;
use self::step::{Happened, Limits, Next};
use crate::error::Error;
use crate::history::Checked;
use crate::message::{Message, Reply, Usage};
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
        let (started, finished) = self.state.started_and_finished();
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
            api: Some(self.provider.tools_api()),
        }
    }

    /// Puts the tools of the toolkit and of the request together, if either has changed.
    fn offer_tools(&mut self) -> Result<(), Error> {
        let (of_request, api) = (&self.state.request.tools, self.provider.tools_api());
        let is_current = self.offered.as_ref().is_some_and(|last| {
            last.toolkit.is_same(&self.toolkit)
                && Arc::ptr_eq(&last.of_request, of_request)
                && *last.definitions.api() == api
                && last.definitions.is_sent_as(self.state.changes.list(&api))
        });
        if !is_current {
            let definitions = Definitions::merge(&self.toolkit, of_request, &api)?
                .sent_as(self.state.changes.list(&api), &self.toolkit);
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
            Next::Ask(_) | Next::RunCalls => None,
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
        let has_hooks = !self.hooks.is_empty();
        closing::sendable(&self.state, &self.provider.api(), has_hooks)
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

    /// The tokens so far, those of streams that were cut or dropped included, as far as the provider has told them.
    /// Attempts that it has repeated by itself are not in it.
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
        // What has arrived is in the form of the provider that it came from.
        self.settle();
        self.provider = Box::new(provider);
    }
}

/// Without the request, whose options may hold credentials of the program.
impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("provider", &self.provider)
            .field("toolkit", &self.toolkit)
            .field("iterations", &self.state.iterations)
            .field("outcome", &self.outcome())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
