//! A summary in place of the history, when the program wants one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Runner;
use super::state::{Arriving, State};
use crate::error::Error;
use crate::message::{Message, Other, Reply, Role, StopReason};

/// A compaction that comes before the next turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Compaction {
    /// What the summary is to keep to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<String>,
}

impl Runner {
    /// Has the API put a summary in place of the history, before the model is asked next: the calls of the last reply are
    /// answered first, and a reply that has paused goes on first. Calling this again before then replaces the
    /// instructions.
    ///
    /// The summary comes as a reply of its own, which [`next_message`](Self::next_message) and the streams give as any
    /// other, with the stop reason [`Compaction`](StopReason::Compaction). It does not count toward
    /// [`max_iterations`](Self::max_iterations). The history is then that reply, what the program had
    /// appended at the end by then, and what it appends later. In the turn after the limit (`CapPolicy::FinalTurn`) there is
    /// none. Where it
    /// has no summary, or the request fails, the history stays as it is, and nothing is scheduled any more.
    ///
    /// ```no_run
    /// # async fn example(mut runner: haft::Runner) -> Result<(), haft::Error> {
    /// while let Some(reply) = runner.next_message().await? {
    ///     if reply.usage().input > 150_000 {
    ///         runner.compact_before_next_turn(Some("Keep what was measured, with its units."))?;
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the provider's API makes no summaries, or the request asks for what does not go with one.
    pub fn compact_before_next_turn(&mut self, instructions: Option<&str>) -> Result<(), Error> {
        if self
            .provider
            .compaction(&self.state.request, instructions)?
            .is_none()
        {
            return Err(no_compaction(&self.provider.api()));
        }
        self.state.compaction = Some(Compaction {
            instructions: instructions.map(str::to_owned),
        });
        Ok(())
    }
}

pub(super) fn no_compaction(api: &crate::api::Api) -> Error {
    Error::request(format!(
        "{api} puts no summary in place of a history; shorten it by `request_mut().messages`"
    ))
}

/// Takes in what was said when a summary was asked for.
pub(super) fn on_compacted(state: &mut State, reply: &Reply) {
    state.iterations += 1;
    state.compactions += 1;
    state.usage.tell(reply.usage());
    state.last_reply = Some(reply.clone());
    state.arriving = Arriving::default();
    state.compaction = None;
    let message = reply.message();
    let mut summaries = message.others().filter_map(Other::summary);
    let Some(summary) = summaries.next().filter(|_| is_compaction(reply)) else {
        return;
    };
    let tells_of_tools = summary.get("tool_changes").and_then(Value::as_array);
    let tells_of_tools = tells_of_tools.is_some_and(|changes| !changes.is_empty());
    state.changes.give_way_to(message, tells_of_tools);
    let messages = &mut state.request.messages;
    messages.drain(..summed_up(messages));
    messages.insert(0, message.clone());
}

fn is_compaction(reply: &Reply) -> bool {
    *reply.stop_reason() == StopReason::Compaction
}

/// How many messages a summary stands for: all but what the program has appended at the end, which keeps its words. (Where
/// there is nothing else, that too.)
pub(super) fn summed_up(messages: &[Message]) -> usize {
    let is_appended =
        |message: &Message| message.role() == Role::User && message.tool_results().next().is_none();
    match messages.iter().rposition(|message| !is_appended(message)) {
        Some(last) => last + 1,
        None => messages.len(),
    }
}
