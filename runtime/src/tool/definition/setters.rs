//! What a definition says beside name, description and schema, set one by one.

use std::time::Duration;

use serde_json::Value;

use super::ToolDefinition;

impl ToolDefinition {
    /// Asks the provider to constrain the model's arguments to the schema, or not to. A schema that is given as data
    /// is then rewritten where it does not keep to the strict [`Dialect`](crate::Dialect).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.inner_mut().strict = Some(strict);
        self
    }

    /// A field of the definition that only some providers know, such as `defer_loading` or `cache_control`.
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.inner_mut().options.insert(key.into(), value.into());
        self
    }

    /// A name for people, such as those who are asked for approval. MCP clients show it; the model is not told.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.inner_mut().title = Some(title.into());
        self
    }

    /// The JSON schema of what [`ToolOutput::structured`](crate::ToolOutput::structured) gives, for MCP clients. It is
    /// sent as it stands, and results are not checked against it.
    #[must_use]
    pub fn with_output_schema(mut self, schema: Value) -> Self {
        self.inner_mut().output_schema = Some(schema);
        self
    }

    /// Whether it changes nothing around it; see [`Hints`](crate::Hints).
    ///
    /// A tool cannot be both read-only and destructive: the later of `read_only(true)` and `destructive(true)` counts,
    /// and turns the other to `false`.
    #[must_use]
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.inner_mut().hints.set_read_only(read_only);
        self
    }

    /// Whether its changes may destroy something; see [`Hints`](crate::Hints) and [`read_only`](Self::read_only).
    #[must_use]
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.inner_mut().hints.set_destructive(destructive);
        self
    }

    /// Whether a second call with the same arguments changes nothing more; see [`Hints`](crate::Hints).
    #[must_use]
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.inner_mut().hints.idempotent = Some(idempotent);
        self
    }

    /// Whether it deals with an open world, such as the web; see [`Hints`](crate::Hints).
    #[must_use]
    pub fn open_world(mut self, open_world: bool) -> Self {
        self.inner_mut().hints.open_world = Some(open_world);
        self
    }

    /// Whether its calls run alone.
    ///
    /// A runner runs the calls of one reply side by side. An exclusive one waits for those before it, and those after
    /// it wait for its end. That holds within one reply of one runner: where several runners share what the tool
    /// changes, it takes a lock of its own.
    ///
    /// ```
    /// use haft::ToolDefinition;
    /// use haft::serde_json::json;
    ///
    /// let commit = ToolDefinition::new("commit", "Commit all changes.", json!({"type": "object"}))?.exclusive(true);
    /// assert!(commit.is_exclusive());
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.inner_mut().is_exclusive = exclusive;
        self
    }

    /// Whether a [`Runner`](crate::Runner) asks before a call of it runs.
    ///
    /// The other calls of the reply run, and the run ends as
    /// [`AwaitingApproval`](crate::Outcome::AwaitingApproval). After
    /// [`Runner::decide`](crate::Runner::decide) it goes on. [`Toolkit::call`](crate::Toolkit::call) and
    /// [`Toolkit::run`](crate::Toolkit::run) do not ask: there the program itself has decided.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Decision, FunctionTool, Outcome, Request, Runner, Toolkit};
    /// use haft::serde_json::{Value, json};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let schema = json!({"type": "object"});
    /// let pay = FunctionTool::from_schema("pay", "Pay the bill.", schema, |_: Value| async { "paid" })?.approval(true);
    /// let model = ScriptedModel::new().calls([("pay", json!({"euros": 30}))]).text("It is paid.");
    /// let mut runner = Runner::new(model, Toolkit::new().with(pay)?, Request::new("any").user("Pay!"));
    /// if let Outcome::AwaitingApproval { calls } = runner.run_to_completion().await?.outcome {
    ///     for call in calls {
    ///         println!("may {} run with {}?", call.name(), call.input());
    ///         runner.decide(call.id(), Decision::Allow)?;
    ///     }
    /// }
    /// assert_eq!(runner.run_to_completion().await?.reply.text(), "It is paid.");
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn approval(mut self, approval: bool) -> Self {
        self.inner_mut().needs_approval = approval;
        self
    }

    /// How long a call of it may take. After that its future is dropped, and the model is told that it timed out.
    ///
    /// A future can be dropped only where it awaits something: work that holds its thread is not stopped, and work on
    /// another thread runs on, its result unread.
    ///
    /// The timer is tokio's. Outside of a tokio runtime calls run without the limit. So they do in a runtime without
    /// timers; tokio's panic message then says on each call how to turn them on (`enable_time`).
    ///
    /// ```
    /// use std::time::Duration;
    /// use haft::{FunctionTool, Toolkit};
    /// use haft::serde_json::{Value, json};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    /// # runtime.block_on(async {
    /// let wait = FunctionTool::from_schema("wait", "", json!({"type": "object"}), |_: Value| async {
    ///     std::future::pending::<()>().await
    /// })?;
    /// let kit: Toolkit = Toolkit::new().with(wait.with_timeout(Duration::from_millis(5)))?;
    /// let result = kit.call("wait", json!({})).await;
    /// assert_eq!(result.text(), "Error: Tool 'wait' timed out after 5ms");
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.inner_mut().timeout = Some(timeout);
        self
    }
}
