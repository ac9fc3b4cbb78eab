//! How a [`Runner`] runs: its settings, by value when it is made and by `set_` later.

use tokio_util::sync::CancellationToken;

use super::Runner;
use super::hook::Hook;
use super::outcome::CapPolicy;
use super::step::Limits;

/// What is set of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settings {
    pub(super) max_iterations: Option<usize>,
    pub(super) cap_policy: CapPolicy,
    pub(super) max_running: Option<usize>,
    pub(super) most_repeats: Option<usize>,
    pub(super) eager: bool,
}

impl Settings {
    pub(super) const fn limits(&self, is_cancelled: bool) -> Limits {
        Limits {
            cap: self.max_iterations,
            policy: self.cap_policy,
            is_cancelled,
            most_repeats: self.most_repeats,
        }
    }
}

/// A number of things; 0 is no limit.
const fn limit(most: usize) -> Option<usize> {
    match most {
        0 => None,
        most => Some(most),
    }
}

impl Runner {
    /// The most replies that the run asks for, compactions aside; 0 and the default are no limit. Where the last of
    /// them calls tools, these do not run, and the run ends as [`Outcome::Capped`](crate::Outcome::Capped).
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
        self.settings.max_iterations = limit(replies);
    }

    /// What happens at [`max_iterations`](Self::max_iterations) where calls are pending. Default: they do not run. See
    /// [`CapPolicy`], with an example.
    #[must_use]
    pub fn cap_policy(mut self, policy: CapPolicy) -> Self {
        self.set_cap_policy(policy);
        self
    }

    /// As [`cap_policy`](Self::cap_policy), later.
    pub fn set_cap_policy(&mut self, policy: CapPolicy) {
        self.settings.cap_policy = policy;
    }

    /// How many tools may run side by side; 0 and the default are no limit.
    ///
    /// Results stand in the order of the calls, whatever ends first. A tool that must be alone says so by itself:
    /// [`exclusive`](crate::ToolDefinition::exclusive). Set a limit where the tools share something scarce, such as a
    /// server that refuses too many connections.
    ///
    /// ```
    /// # use haft::{Request, Runner, Toolkit, testing::ScriptedModel};
    /// # let (model, tools, request) = (ScriptedModel::new(), Toolkit::new(), Request::new("any"));
    /// let runner = Runner::new(model, tools, request).max_concurrent_tools(4);
    /// ```
    #[must_use]
    pub fn max_concurrent_tools(mut self, tools: usize) -> Self {
        self.set_max_concurrent_tools(tools);
        self
    }

    /// As [`max_concurrent_tools`](Self::max_concurrent_tools), later.
    pub fn set_max_concurrent_tools(&mut self, tools: usize) {
        self.settings.max_running = limit(tools);
    }

    /// Whether, in a stream, a call starts once the model has moved on from it, and not only when its reply has ended.
    /// Default: no.
    ///
    /// It saves the time that the rest of the reply takes. But a call may then have run although its reply is refused,
    /// cut or dropped: a cut reply is kept up to its last whole block and answered, so that no effect is repeated, and
    /// of one that is refused, or taken over by another model, the calls are told in
    /// [`End::abandoned`](crate::End::abandoned). So follow the stream to its end, and be sure that the tools may run.
    ///
    /// Calls of tools that need approval or run alone never start early. Those that stand behind one that needs approval
    /// may; those behind one that runs alone wait for it.
    ///
    /// ```
    /// use std::time::Duration;
    /// use haft::testing::{ScriptedModel, ScriptedReply};
    /// use haft::{Event, Request, Runner, StreamExt, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// /// Look something up.
    /// #[tool(read_only)]
    /// async fn look(at: String) -> String {
    ///     format!("nothing at the {at}")
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    /// # runtime.block_on(async {
    /// let slow = ScriptedReply::new()
    ///     .call("look", json!({"at": "left"}))
    ///     .wait(Duration::from_millis(20))
    ///     .call("look", json!({"at": "right"}))
    ///     .wait(Duration::from_millis(20));
    /// let model = ScriptedModel::new().reply(slow).text("There is nothing.");
    /// let request = Request::new("any").user("Where is it?");
    /// let mut runner = Runner::new(model, toolkit![look], request).eager(true);
    /// let mut events = runner.all_streaming();
    /// let mut order = Vec::new();
    /// while let Some(event) = events.next().await {
    ///     match event? {
    ///         Event::ToolStarted(call) => order.push(format!("look {}", call.input())),
    ///         Event::Reply(_) => order.push("reply".to_owned()),
    ///         _ => {}
    ///     }
    /// }
    /// // The model has moved on from the first call before the reply ends, and not from the second.
    /// assert_eq!(order, [r#"look {"at":"left"}"#, "reply", r#"look {"at":"right"}"#, "reply"]);
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eager(mut self, eager: bool) -> Self {
        self.set_eager(eager);
        self
    }

    /// As [`eager`](Self::eager), later.
    pub fn set_eager(&mut self, eager: bool) {
        self.settings.eager = eager;
    }

    /// Ends the run as [`Outcome::Looping`](crate::Outcome::Looping) when one call has failed in the same way (the same
    /// tool, input and error) in so many turns in a row; 0 and the default are no limit.
    ///
    /// For runs that nobody watches: a model that repeats a mistake word for word seldom gets out of it by itself. 3 lets
    /// it try again after a passing failure.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Outcome, Request, Runner, Toolkit};
    /// use haft::serde_json::json;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// // It calls a tool that there is not, and does not learn from that.
    /// let model = ScriptedModel::new().calls([("look", json!({}))]).calls([("look", json!({}))]);
    /// let request = Request::new("any").user("Go");
    /// let mut runner = Runner::new(model, Toolkit::new(), request).stop_after_repeats(2);
    /// let outcome = runner.run_to_completion().await?.outcome;
    /// assert!(matches!(outcome, Outcome::Looping { call } if call.name() == "look"));
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stop_after_repeats(mut self, times: usize) -> Self {
        self.set_stop_after_repeats(times);
        self
    }

    /// As [`stop_after_repeats`](Self::stop_after_repeats), later.
    pub fn set_stop_after_repeats(&mut self, times: usize) {
        self.settings.most_repeats = limit(times);
    }

    /// Adds a [`Hook`], behind those that are there: where hooks differ, the first that does not allow a call decides.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Hook, HookFuture, Reply, Request, Runner, Toolkit};
    ///
    /// struct Log;
    ///
    /// impl Hook for Log {
    ///     fn after_reply<'a>(&'a self, reply: &'a Reply) -> HookFuture<'a, ()> {
    ///         println!("{} tokens", reply.usage().output);
    ///         Box::pin(async { Ok(()) })
    ///     }
    /// }
    ///
    /// let model = ScriptedModel::new().text("Hello!");
    /// let runner = Runner::new(model, Toolkit::new(), Request::new("any").user("Hi")).hook(Log);
    /// ```
    #[must_use]
    pub fn hook(mut self, hook: impl Hook + 'static) -> Self {
        self.add_hook(hook);
        self
    }

    /// As [`hook`](Self::hook), later.
    pub fn add_hook(&mut self, hook: impl Hook + 'static) {
        self.hooks.push(Box::new(hook));
    }

    /// Stops the run when the token is cancelled: the request is dropped and so are hooks, tools
    /// are [told](crate::CallContext::cancellation) and then dropped, and the run ends as
    /// [`Outcome::Cancelled`](crate::Outcome::Cancelled). What has run is kept. To drop the future or the stream stops
    /// a run, too; [the guide](crate::guide::cancelling_and_resuming) says how they differ.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{CancellationToken, Outcome, Request, Runner, Toolkit};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let stop = CancellationToken::new();
    /// let model = ScriptedModel::new().text("Hello!");
    /// let mut runner = Runner::new(model, Toolkit::new(), Request::new("any").user("Hi"))
    ///     .cancellation(stop.clone());
    /// // From anywhere, such as the handler of a key:
    /// stop.cancel();
    /// assert_eq!(runner.run_to_completion().await?.outcome, Outcome::Cancelled);
    /// // A token stays cancelled, so going on needs another one.
    /// runner.set_cancellation(CancellationToken::new());
    /// assert_eq!(runner.run_to_completion().await?.outcome, Outcome::Completed);
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.set_cancellation(token);
        self
    }

    /// As [`cancellation`](Self::cancellation), later; it takes the place of the token before.
    pub fn set_cancellation(&mut self, token: CancellationToken) {
        self.cancellation = Some(token);
    }
}
