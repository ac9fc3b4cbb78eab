//! The calls of a reply: run side by side, answered in order, each only once.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::state::{Pending, Phase, Slot, interrupted};
use super::{Error, Runner, ToolResult, Toolkit, step};
use crate::dispatch;
use crate::message::ToolCall;
use crate::tool::{Tool, ToolDefinition, ToolOutput};

/// What becomes of a call that waits for the program.
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
    /// The call runs when the run goes on. Only for a tool with a handler, which waits because of
    /// [`ToolDefinition::approval`](crate::ToolDefinition::approval).
    Allow,
    /// The call does not run; the model is told why.
    Deny(String),
    /// The call does not run; this is its result.
    Answer(ToolOutput),
}

impl Runner {
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
    /// None today; hooks may fail.
    pub async fn run_calls(&mut self) -> Result<Vec<ToolResult>, Error> {
        self.state.notice_edits();
        if step::next(&self.state, self.max_iterations) != step::Next::RunCalls {
            return Ok(Vec::new());
        }
        let (toolkit, turn) = (&self.toolkit, self.state.iterations);
        if let Phase::Calls(pending) = &mut self.state.phase {
            step::repeat(pending, |call| {
                definition(toolkit, call).is_some_and(|tool| tool.hints().may_repeat())
            });
            let batches = step::batches(pending, |call| {
                definition(toolkit, call).is_some_and(ToolDefinition::is_exclusive)
            });
            let mut calls = pending.calls.iter().zip(&mut pending.slots);
            for length in batches {
                let batch = calls.by_ref().take(length);
                let mut running: FuturesUnordered<_> = batch
                    .map(|(call, slot)| answer(toolkit, call, slot, turn))
                    .collect();
                while running.next().await.is_some() {}
            }
        }
        Ok(step::on_results(&mut self.state).unwrap_or_default())
    }

    /// The program decides on calls of a tool that needs approval, and answers those of a tool that the request
    /// defines and no toolkit has.
    pub(super) fn suspend_calls(&mut self) {
        let (toolkit, of_request) = (&self.toolkit, &self.state.request.tools);
        if let Phase::Calls(pending) = &mut self.state.phase {
            step::suspend(pending, |call| match definition(toolkit, call) {
                Some(definition) if definition.needs_approval() => {
                    // Nobody is asked about a call that cannot run.
                    let refused = dispatch::refusal(definition, call).map(Slot::Finished);
                    Some(refused.unwrap_or(Slot::Suspended))
                }
                Some(_) => None,
                None => of_request
                    .iter()
                    .any(|tool| tool.entry.name() == call.name())
                    .then_some(Slot::Suspended),
            });
        }
    }

    /// Says what becomes of a call that waits for the program (see [`Outcome::AwaitingApproval`]);
    /// going on then runs it, if it is allowed, and sends its result with the others.
    ///
    /// [`Outcome::AwaitingApproval`]: super::Outcome::AwaitingApproval
    ///
    /// ```
    /// # use haft::{Error, Runner, ToolCall};
    /// use haft::Decision;
    ///
    /// # fn example(runner: &mut Runner, call: &ToolCall) -> Result<(), Error> {
    /// // The reason is for the model: say what it can do instead.
    /// runner.decide(call.id(), Decision::Deny("only on work days; tell the user".into()))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where no call of that id waits, and for [`Decision::Allow`] where its tool has no handler.
    pub fn decide(&mut self, call_id: &str, decision: Decision) -> Result<(), Error> {
        self.state.notice_edits();
        let waiting = match &mut self.state.phase {
            Phase::Calls(Pending { calls, slots, .. }) => calls
                .iter()
                .zip(slots)
                .find(|(call, slot)| call.id() == call_id && matches!(slot, Slot::Suspended)),
            _ => None,
        };
        let (call, slot) = waiting
            .ok_or_else(|| Error::request(format!("no call `{call_id}` waits for a decision")))?;
        *slot = match decision {
            Decision::Allow if definition(&self.toolkit, call).is_none() => {
                return Err(without_handler(call));
            }
            Decision::Allow => Slot::Waiting,
            Decision::Deny(reason) => {
                Slot::Finished(ToolResult::error(call, denied(call, &reason)))
            }
            Decision::Answer(output) => {
                let call = Arc::clone(call.identity());
                Slot::Finished(dispatch::result(call, Ok(output)))
            }
        };
        Ok(())
    }
}

fn definition<'a>(toolkit: &'a Toolkit, call: &ToolCall) -> Option<&'a ToolDefinition> {
    toolkit.get(call.name()).map(Tool::definition)
}

fn without_handler(call: &ToolCall) -> Error {
    Error::request(format!(
        "call `{}` cannot be allowed: no tool of the toolkit runs `{}`; answer it by `Decision::Answer`, or deny it",
        call.id(),
        call.name()
    ))
}

/// Brings one call to its result. Each change of the slot stands when the future is dropped.
async fn answer(toolkit: &Toolkit, call: &ToolCall, slot: &mut Slot, turn: usize) {
    match slot {
        Slot::Waiting => {
            *slot = Slot::Started;
            *slot = Slot::Finished(dispatch::run(toolkit, call, turn).await);
        }
        // Its future was dropped in mid-run: running it again could do a thing twice.
        Slot::Started => *slot = Slot::Finished(ToolResult::error(call, interrupted(call))),
        Slot::Suspended | Slot::Finished(_) => {}
    }
}

fn denied(call: &ToolCall, reason: &str) -> String {
    let name = call.name();
    match reason.trim() {
        "" => format!("Error: Tool '{name}' was denied"),
        reason => format!("Error: Tool '{name}' was denied: {reason}"),
    }
}
