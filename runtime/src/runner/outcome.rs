//! [`End`] and [`Outcome`]: how a run ended, and [`CapPolicy`]: what it does at its limit.

use serde::{Deserialize, Serialize};

use crate::message::{Refusal, Reply, StopReason, ToolCall, Usage};

/// What a run came to.
///
/// A reply may be there although the run did not end well, so look at the outcome first.
///
/// ```
/// use haft::testing::{ScriptedModel, ScriptedReply};
/// use haft::{Outcome, Request, Runner, StopReason, Toolkit};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let cut = ScriptedReply::new().text("Once upon a").stop_reason(StopReason::MaxTokens);
/// let model = ScriptedModel::new().reply(cut);
/// let mut runner = Runner::new(model, Toolkit::new(), Request::new("any").user("A story!"));
/// let end = runner.run_to_completion().await?;
/// assert_eq!(end.outcome, Outcome::Truncated { incomplete: None });
/// assert_eq!(end.reply.text(), "Once upon a");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct End {
    /// The last reply; an empty one where none came.
    pub reply: Reply,
    /// Why the run ended.
    pub outcome: Outcome,
    /// The tokens of all replies of the run, those of streams that were cut included.
    pub usage: Usage,
    /// Calls that had started while their reply arrived ([`eager`](crate::Runner::eager)), of replies of the run that
    /// were then refused, that another model took over, or that the server began anew. The history has neither them nor
    /// their results.
    pub abandoned: Vec<ToolCall>,
}

/// Why a run ended. Only [`Completed`](Self::Completed) means that the model said what it had to
/// say. [A page of the guide](crate::guide::how_a_run_ends) has what the history is after each, and what going on does.
///
/// What a program does with each:
///
/// ```
/// # use haft::{Error, Runner};
/// use haft::{Decision, Outcome};
///
/// # async fn example(runner: &mut Runner) -> Result<String, Error> {
/// loop {
///     let end = runner.run_to_completion().await?;
///     match end.outcome {
///         Outcome::Completed => return Ok(end.reply.text()),
///         // Or `set_max_iterations` to more, and go on: the calls then run.
///         Outcome::Capped { pending } => return Ok(format!("{} calls left", pending.len())),
///         // Going on asks again, now with more room.
///         Outcome::Truncated { .. } if runner.request().max_tokens < Some(32_000) => {
///             runner.request_mut().max_tokens = Some(32_000);
///         }
///         // Show the part that there is; a full context needs a shorter history.
///         Outcome::Truncated { .. } | Outcome::ContextFull => return Ok(end.reply.text()),
///         // Asking the same again is no use.
///         Outcome::Refused { details, .. } => return Ok(format!("refused: {details:?}")),
///         // Nothing to do: going on resumes it.
///         Outcome::Paused => {}
///         // Ask a person, or look at the call. `Decision::Allow` runs it.
///         Outcome::AwaitingApproval { calls } => {
///             for call in calls {
///                 runner.decide(call.id(), Decision::Deny("nobody is here to ask".into()))?;
///             }
///         }
///         Outcome::Unknown { stop_reason, .. } => return Ok(format!("ended with {stop_reason}")),
///         // Later versions may have more.
///         other => return Ok(format!("{other:?}")),
///     }
/// }
/// # }
/// # use haft::testing::{ScriptedModel, ScriptedReply};
/// # use haft::{Request, StopReason, ToolDefinition, Toolkit, serde_json::json};
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// # let cut = ScriptedReply::new().text("It").stop_reason(StopReason::MaxTokens);
/// # let model = ScriptedModel::new().reply(cut).calls([("ask", json!({}))]).text("It is done.");
/// # let ask = ToolDefinition::new("ask", "", json!({"type": "object"}))?;
/// # let request = Request::new("any").user("Go").tool(ask);
/// # let mut runner = Runner::new(model, Toolkit::new(), request);
/// # assert_eq!(example(&mut runner).await?, "It is done.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The model was done. Its reply is in the history, unless it was empty.
    Completed,
    /// The run reached [`max_iterations`](crate::Runner::max_iterations). The reply is in the
    /// history, and its calls have not run, or as the [policy](crate::CapPolicy) says; raising the cap and going on
    /// runs them.
    Capped {
        /// The calls that did not run; empty where the run had only to ask again.
        pending: Vec<ToolCall>,
    },
    /// The reply reached its `max_tokens`. It is not in the history: going on with nothing new asks
    /// for it again, and a message appended now puts it there, without the call that was cut, its
    /// other calls answered as not run. (Where [eager](crate::Runner::eager) calls of it had begun, it is in the
    /// history, without the call that was cut: those calls with their results, the others as not run.)
    Truncated {
        /// The call that was cut, if the reply ended in one. It has not run, and its input may be
        /// incomplete.
        incomplete: Option<ToolCall>,
    },
    /// The model's context is full. The reply is kept apart, as for [`Truncated`](Self::Truncated).
    ContextFull,
    /// The model refused. The reply is not in the history.
    Refused {
        /// What the provider says of it.
        details: Option<Refusal>,
        /// Calls of the reply that had started before the refusal came, which is so only where they are
        /// [eager](crate::Runner::eager).
        started: Vec<ToolCall>,
    },
    /// More than 10 replies in a row only paused for a server tool, or compacted the history. Going
    /// on resumes it.
    Paused,
    /// Calls wait for the program, which says what becomes of each by
    /// [`Runner::decide`](crate::Runner::decide); the others of the reply have run. A call waits
    /// where its tool [needs approval](crate::ToolDefinition::approval), or has no handler in the
    /// toolkit. The second kind is answered or denied, and cannot be allowed.
    AwaitingApproval {
        /// The calls that wait, with the input that they would run with.
        calls: Vec<ToolCall>,
    },
    /// The [token](crate::Runner::set_cancellation) was cancelled. What has run is kept; calls that had not started
    /// are answered so. With another token the run goes on.
    Cancelled,
    /// The same call failed in the same way as often as
    /// [`stop_after_repeats`](crate::Runner::stop_after_repeats) allows. Its result is in the history; going on asks
    /// the model once more, and counts anew.
    Looping {
        /// The call, as the model wrote it the last time.
        call: ToolCall,
    },
    /// The reply ended for a reason that haft does not know, or that does not fit calls in it. It is in the history.
    /// None of its calls ran, but for those that were [eager](crate::Runner::eager) and had begun. Going on answers the
    /// others as not run, and asks again; where the reply has no calls, only a message opens the run again.
    Unknown {
        /// The reason.
        stop_reason: StopReason,
        /// The calls that did not run.
        pending: Vec<ToolCall>,
    },
}

/// What a run does when it has received [`max_iterations`](crate::Runner::max_iterations) replies, and the last one
/// still calls tools.
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{CapPolicy, Outcome, Request, Runner, tool, toolkit};
/// use haft::serde_json::json;
///
/// # /// Adds two integers.
/// # #[tool]
/// # async fn add(a: i64, b: i64) -> i64 {
/// #     a + b
/// # }
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let sum = [("add", json!({"a": 2, "b": 3}))];
/// let model = ScriptedModel::new().calls(sum).text("5, as far as I got.");
/// let request = Request::new("any").user("What is 2 and 3, and the rest?");
/// let mut runner = Runner::new(model, toolkit![add], request)
///     .max_iterations(1)
///     .cap_policy(CapPolicy::FinalTurn);
/// let end = runner.run_to_completion().await?;
/// assert!(matches!(end.outcome, Outcome::Capped { .. }));
/// assert_eq!(end.reply.text(), "5, as far as I got.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CapPolicy {
    /// The calls do not run: nothing happens that the model would not be told of.
    #[default]
    Stop,
    /// The calls run, and their results stand at the end of the history.
    AnswerPending,
    /// The calls run, and the model is asked once more, with the same tools and `tool_choice: none`, to say what it
    /// has. That is one reply beyond the limit.
    FinalTurn,
}
