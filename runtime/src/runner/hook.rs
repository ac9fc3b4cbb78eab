//! [`Hook`]: what a program wants to see and to decide of a run, and [`Decision`].

use std::error::Error as StdError;
use std::future::Future;
use std::pin::Pin;

use crate::json::RawJson;
use crate::message::{Reply, ToolCall, ToolResult};
use crate::request::Request;
use crate::tool::{ToolDefinition, ToolOutput};

/// What becomes of a call: of one that a [`Hook`] is asked about, or that waits for
/// [`Runner::decide`](crate::Runner::decide).
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Decision, Outcome, Request, Runner, ToolDefinition, ToolOutput, Toolkit};
/// use haft::serde_json::json;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let ask = ToolDefinition::new("ask_user", "Ask the user.", json!({"type": "object"}))?;
/// let model = ScriptedModel::new().calls([("ask_user", json!({}))]).text("Blue it is.");
/// let request = Request::new("any").user("Paint it.").tool(ask);
/// let mut runner = Runner::new(model, Toolkit::new(), request);
/// if let Outcome::AwaitingApproval { calls } = runner.run_to_completion().await?.outcome {
///     for call in calls {
///         runner.decide(call.id(), Decision::Answer(ToolOutput::text("blue")))?;
///     }
/// }
/// assert_eq!(runner.run_to_completion().await?.reply.text(), "Blue it is.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// The call runs. Of a hook: as far as it is concerned; a call whose tool has
    /// [`approval`](ToolDefinition::approval) still waits for the program.
    Allow,
    /// The call does not run; the model is told why.
    Deny(String),
    /// The call does not run; this is its result.
    Answer(ToolOutput),
    /// The call runs with this input. The history keeps what the model wrote.
    Replace(RawJson),
    /// The call waits for the program, and the run ends as
    /// [`AwaitingApproval`](crate::Outcome::AwaitingApproval) when the others have run.
    Suspend,
}

/// Why a hook could not do its part: any error, by `?` or `.into()`. What it leads to is said at each method of
/// [`Hook`]: a call is denied, a result withheld, a run fails.
pub type HookError = Box<dyn StdError + Send + Sync>;

/// The future of a hook. `Box::pin(async move { .. })` makes one.
///
/// ```
/// use haft::{Decision, Hook, HookCall, HookFuture};
///
/// /// Lets through what a file lists by name.
/// struct Listed;
///
/// impl Hook for Listed {
///     fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
///         Box::pin(async move {
///             // Where the file cannot be read, the call is denied, and the model reads the error.
///             let names = std::fs::read_to_string("allowed.txt")?;
///             let is_listed = names.lines().any(|name| name == call.call().name());
///             Ok(if is_listed { Decision::Allow } else { Decision::Suspend })
///         })
///     }
/// }
/// ```
pub type HookFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, HookError>> + Send + 'a>>;

/// Sees what a run does, and has a say in it. All methods do nothing by default.
///
/// A run asks its hooks in the order in which they were added. Where one panics, it has failed.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Decision, Hook, HookCall, HookFuture, Request, Runner, tool, toolkit};
/// use haft::serde_json::json;
///
/// /// Lets through only what changes nothing.
/// struct ReadOnly;
///
/// impl Hook for ReadOnly {
///     fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
///         let hints = call.definition().map(|definition| definition.hints());
///         let is_safe = hints.is_some_and(|hints| hints.read_only == Some(true));
///         Box::pin(async move {
///             Ok(if is_safe { Decision::Allow } else { Decision::Deny("look, do not touch".into()) })
///         })
///     }
/// }
///
/// /// Delete a file.
/// #[tool(destructive)]
/// async fn delete(path: String) -> String {
///     format!("deleted {path}")
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().calls([("delete", json!({"path": "/"}))]).text("I may not.");
/// let request = Request::new("any").user("Make room.");
/// let mut runner = Runner::new(model, toolkit![delete], request).hook(ReadOnly);
/// runner.run_to_completion().await?;
/// let told = runner.messages()[2].tool_results().next().map(|result| result.text());
/// assert_eq!(told.as_deref(), Some("Error: Tool 'delete' was denied: look, do not touch"));
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Hook: Send + Sync {
    /// A call is about to run. The first hook that gives something else than [`Decision::Allow`] decides; one that
    /// fails denies the call, and the model is told its error.
    fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
        let _ = call;
        done(Decision::Allow)
    }

    /// A call has its result: of its tool, of a hook or the program, or the error that it came to. What is given here
    /// takes its place, for the model and for the hooks that follow. Where a hook fails, the model is told that the
    /// result is withheld.
    fn after_call<'a>(
        &'a self,
        call: HookCall<'a>,
        result: &'a ToolResult,
    ) -> HookFuture<'a, Option<ToolOutput>> {
        let _ = (call, result);
        done(None)
    }

    /// A call had started when its future was dropped, or the process ended: whether it took effect is not known. By
    /// default (`None`) the model is told so, and a tool that is `idempotent` or `read_only` runs again without this
    /// being asked. The first hook that decides does; [`Decision::Allow`] runs the call again. Where a hook fails, the model
    /// is told as by default.
    fn interrupted_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Option<Decision>> {
        let _ = call;
        done(None)
    }

    /// The model is about to be asked. What is changed in the request stays changed, as by
    /// [`Runner::request_mut`](crate::Runner::request_mut). Where a hook fails, the run does, and nothing is sent.
    fn before_request<'a>(&'a self, request: &'a mut Request) -> HookFuture<'a, ()> {
        let _ = request;
        done(())
    }

    /// A reply has come; its calls have not run, but for those that were [eager](crate::Runner::eager). Where a hook
    /// fails, the run does; going on goes on from the reply.
    fn after_reply<'a>(&'a self, reply: &'a Reply) -> HookFuture<'a, ()> {
        let _ = reply;
        done(())
    }
}

fn done<'a, T: Send + 'a>(value: T) -> HookFuture<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

/// A call as a hook gets it.
///
/// ```
/// use haft::HookCall;
///
/// /// Whether a person is to see it: what a tool does not say of itself counts as dangerous.
/// fn is_dangerous(call: HookCall<'_>) -> bool {
///     let hints = call.definition().map(|definition| definition.hints()).unwrap_or_default();
///     let is_safe = hints.read_only == Some(true) || hints.destructive == Some(false);
///     // The input that it would run with, and not only what the model wrote.
///     !is_safe || call.input().as_str().contains("/etc")
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HookCall<'a> {
    call: &'a ToolCall,
    input: &'a RawJson,
    definition: Option<&'a ToolDefinition>,
    turn: usize,
}

impl<'a> HookCall<'a> {
    pub(super) const fn new(
        call: &'a ToolCall,
        input: &'a RawJson,
        definition: Option<&'a ToolDefinition>,
        turn: usize,
    ) -> Self {
        Self {
            call,
            input,
            definition,
            turn,
        }
    }

    /// The call, as the model wrote it.
    #[must_use]
    pub const fn call(self) -> &'a ToolCall {
        self.call
    }

    /// What it runs with: the model's input, or what a hook or the program has put in its place.
    #[must_use]
    pub const fn input(self) -> &'a RawJson {
        self.input
    }

    /// The tool's definition, with its hints; `None` for a tool that the toolkit does not have.
    #[must_use]
    pub const fn definition(self) -> Option<&'a ToolDefinition> {
        self.definition
    }

    /// How many replies the run has received, that with the call counted.
    #[must_use]
    pub const fn turn(self) -> usize {
        self.turn
    }
}
