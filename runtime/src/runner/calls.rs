//! The calls of a reply: run side by side, answered in order, each only once.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::state::{Pending, Phase, Slot, interrupted};
use super::{Error, Runner, ToolResult, Toolkit, step};
use crate::dispatch;
use crate::message::ToolCall;
use crate::tool::ToolOutput;

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
            let calls = pending.calls.iter().zip(&mut pending.slots);
            let mut running: FuturesUnordered<_> = calls
                .map(|(call, slot)| answer(toolkit, call, slot, turn))
                .collect();
            while running.next().await.is_some() {}
        }
        Ok(step::on_results(&mut self.state).unwrap_or_default())
    }

    /// A tool that the request defines and no toolkit has is answered by the program.
    pub(super) fn suspend_calls_without_handler(&mut self) {
        let Phase::Calls(pending) = &mut self.state.phase else {
            return;
        };
        for (call, slot) in pending.calls.iter().zip(&mut pending.slots) {
            let is_defined = self
                .state
                .request
                .tools
                .iter()
                .any(|tool| tool.entry.name() == call.name());
            if matches!(slot, Slot::Waiting)
                && is_defined
                && self.toolkit.get(call.name()).is_none()
            {
                *slot = Slot::Suspended;
            }
        }
    }

    /// Says what becomes of a call that waits for the program (see [`Outcome::AwaitingApproval`]);
    /// going on then sends it with the other results.
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
    /// Where no call of that id waits.
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
        *slot = Slot::Finished(match decision {
            Decision::Deny(reason) => ToolResult::error(
                call,
                format!("Error: Tool '{}' was denied: {reason}", call.name()),
            ),
            Decision::Answer(output) => dispatch::result(call, Ok(output)),
        });
        Ok(())
    }
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
