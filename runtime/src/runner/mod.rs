//! [`Runner`]: holds a conversation, runs the tools that the model calls, and goes on until the model is done.
//!
//! What is to be done next is decided in [`step`], without any I/O; this file does it.

mod calls;
mod outcome;
mod state;
mod step;

use std::sync::Arc;

use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt};

pub use self::calls::Decision;
pub use self::outcome::{End, Outcome};
use self::state::State;
use self::step::Next;
use crate::error::Error;
use crate::history::Checked;
use crate::message::{Message, Reply, ToolResult, Usage};
use crate::provider::{ModelCall, Provider};
use crate::request::Request;
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
#[derive(Debug)]
pub struct Runner {
    provider: Box<dyn Provider>,
    toolkit: Toolkit,
    state: State,
    max_iterations: Option<usize>,
    offered: Option<Offered>,
    checked: Checked,
    error: Option<Error>,
    /// Whether the last thing that the program heard was that the run has ended.
    end_is_told: bool,
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
            max_iterations: None,
            offered: None,
            checked: Checked::default(),
            error: None,
            end_is_told: false,
        }
    }

    /// The most replies that the run asks for; 0 and the default are no limit. Where the last of
    /// them calls tools, these do not run, and the run ends as [`Outcome::Capped`].
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Outcome, Request, Runner, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// # /// Adds two integers.
    /// # #[tool]
    /// # async fn add(a: i64, b: i64) -> i64 {
    /// #     a + b
    /// # }
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let model = ScriptedModel::new().calls([("add", json!({"a": 2, "b": 3}))]).text("5");
    /// let request = Request::new("any").user("2 and 3?");
    /// let mut runner = Runner::new(model, toolkit![add], request).max_iterations(1);
    /// assert!(matches!(runner.run_to_completion().await?.outcome, Outcome::Capped { .. }));
    /// // The call that waited runs now.
    /// runner.set_max_iterations(2);
    /// assert_eq!(runner.run_to_completion().await?.outcome, Outcome::Completed);
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_iterations(mut self, replies: usize) -> Self {
        self.set_max_iterations(replies);
        self
    }

    /// As [`max_iterations`](Self::max_iterations), later: a raised limit lets a capped run go on.
    pub fn set_max_iterations(&mut self, replies: usize) {
        self.max_iterations = (replies > 0).then_some(replies);
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
        if std::mem::take(&mut self.end_is_told) {
            step::on_go_on(&mut self.state);
        }
        let result = self.step_to_reply().await;
        self.end_is_told = matches!(result, Ok(None));
        self.error = result.as_ref().err().cloned();
        result
    }

    async fn step_to_reply(&mut self) -> Result<Option<Reply>, Error> {
        self.state.notice_edits();
        loop {
            match step::next(&self.state, self.max_iterations) {
                Next::End(_) => return Ok(None),
                Next::RunCalls => {
                    self.run_calls().await?;
                }
                Next::Ask => return self.ask().await.map(Some),
            }
        }
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

    async fn ask(&mut self) -> Result<Reply, Error> {
        self.offer_tools()?;
        self.checked.check(&self.state.request.messages)?;
        let none = Definitions::default();
        let definitions = self
            .offered
            .as_ref()
            .map_or(&none, |offered| &offered.definitions);
        let call = ModelCall::new(&self.state.request, definitions);
        let reply = self.provider.send(call).into_reply().await?;
        step::on_reply(&mut self.state, &reply);
        self.suspend_calls();
        Ok(reply)
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
            usage: self.state.usage.clone(),
        }
    }

    /// How the run ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match step::next(&self.state, self.max_iterations) {
            Next::End(outcome) => Some(outcome),
            Next::Ask | Next::RunCalls => None,
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
        step::on_append(&mut self.state, messages.into_iter().collect());
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
        step::sendable(&self.state)
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

    /// The tokens of all replies so far.
    #[must_use]
    pub fn usage(&self) -> &Usage {
        &self.state.usage
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
