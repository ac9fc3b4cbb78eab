//! The calls of a reply: run side by side, answered in order, each only once.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::state::{Pending, Phase, Slot};
use super::{Error, Runner, ToolResult, step};
use crate::dispatch;
use crate::message::ToolCall;
use crate::tool::ToolOutput;

/// What becomes of a call that waits for the program.
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
        self.suspend_calls_without_handler();
        let turn = self.state.iterations;
        if let Phase::Calls(pending) = &mut self.state.phase {
            let Pending { calls, slots, .. } = pending;
            let mut running = FuturesUnordered::new();
            for (at, (call, slot)) in calls.iter().zip(slots.iter_mut()).enumerate() {
                match slot {
                    Slot::Waiting => {
                        *slot = Slot::Started;
                        let toolkit = &self.toolkit;
                        running.push(async move { (at, dispatch::run(toolkit, call, turn).await) });
                    }
                    // Its future was dropped in mid-run: running it again could do a thing twice.
                    Slot::Started => *slot = Slot::Finished(interrupted(call)),
                    Slot::Suspended | Slot::Finished(_) => {}
                }
            }
            while let Some((at, result)) = running.next().await {
                if let Some(slot) = slots.get_mut(at) {
                    *slot = Slot::Finished(result);
                }
            }
        }
        Ok(step::on_results(&mut self.state).unwrap_or_default())
    }

    /// A tool that the request defines and no toolkit has is answered by the program.
    fn suspend_calls_without_handler(&mut self) {
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

    /// Says what becomes of a call that waits for the program (see [`Outcome::AwaitingApproval`]); going on then
    /// sends it with the other results.
    ///
    /// [`Outcome::AwaitingApproval`]: super::Outcome::AwaitingApproval
    ///
    /// # Errors
    /// Where no call of that id waits.
    pub fn decide(&mut self, call_id: &str, decision: Decision) -> Result<(), Error> {
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

fn interrupted(call: &ToolCall) -> ToolResult {
    let text = format!(
        "Error: Tool '{}' was interrupted; whether it took effect is unknown",
        call.name()
    );
    ToolResult::error(call, text)
}
