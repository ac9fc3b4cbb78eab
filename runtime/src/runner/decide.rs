//! What the program says of calls that wait for it.

use super::Runner;
use super::calls::Stage;
use super::hook::Decision;
use crate::error::Error;
use crate::message::ToolCall;

impl Runner {
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
    /// Where no call of that id waits, and for [`Decision::Allow`] and [`Decision::Replace`] where its tool has no
    /// handler.
    pub fn decide(&mut self, call_id: &str, decision: Decision) -> Result<(), Error> {
        self.settle();
        self.state.notice_edits();
        let waiting = self.state.calls.iter();
        let waiting = waiting.filter(|entry| entry.stage == Stage::Suspended);
        let waiting: Vec<_> = waiting
            .map(|entry| format!("`{}`", entry.call.id()))
            .collect();
        let mut entries = self.state.calls.iter_mut();
        let is_meant =
            |call: &ToolCall, stage: &Stage| call.id() == call_id && *stage == Stage::Suspended;
        let entry = entries
            .find(|entry| is_meant(&entry.call, &entry.stage))
            .ok_or_else(|| does_not_wait(call_id, &waiting))?;
        if let Decision::Allow | Decision::Replace(_) = decision {
            if self.toolkit.get(entry.call.name()).is_none() {
                return Err(without_handler(&entry.call));
            }
            entry.is_allowed = true;
        }
        entry.decide(decision, |_| false);
        Ok(())
    }
}

fn does_not_wait(call_id: &str, waiting: &[String]) -> Error {
    let those = match waiting {
        [] => "none does; the run tells by `Outcome::AwaitingApproval` when some do".to_owned(),
        waiting => format!("those that do are {}", waiting.join(", ")),
    };
    Error::request(format!("no call `{call_id}` waits for a decision: {those}"))
}

fn without_handler(call: &ToolCall) -> Error {
    Error::request(format!(
        "call `{}` cannot be allowed: no tool of the toolkit runs `{}`; answer it by `Decision::Answer`, or deny it",
        call.id(),
        call.name()
    ))
}
