//! [`RunState`]: a run as plain data, and going on from it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Runner;
use super::calls::{Calls, Entry};
use super::changes::Changes;
use super::compaction::Compaction;
use super::outcome::Outcome;
use super::repeats::Repeats;
use super::state::{Arriving, Container, Ended, Pending, Phase, Spent, State};
use crate::error::Error;
use crate::message::{Message, Reply, Role, ToolCall, Usage};
use crate::provider::Provider;
use crate::request::Request;
use crate::toolkit::Toolkit;

/// Where a run stands, as plain data: the request with its whole history, what has become of each call of the last
/// reply, what waits, and the counters.
///
/// It is serde data, for JSON. Provider, toolkit, settings, hooks and credentials are not in it; whoever resumes
/// gives them again, [`max_iterations`](Runner::max_iterations) too. (The request's options are, with what the program
/// has put there.) Its fields may grow; a version of haft reads the states of those before. When to store one, and
/// what becomes of calls and of tools that have changed, is in [the guide](crate::guide::cancelling_and_resuming).
///
/// ```
/// use haft::testing::ScriptedModel;
/// use haft::{Request, RunState, Runner, serde_json, tool, toolkit};
/// use haft::serde_json::json;
///
/// # /// Adds two integers.
/// # #[tool]
/// # async fn add(a: i64, b: i64) -> i64 {
/// #     a + b
/// # }
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = ScriptedModel::new().calls([("add", json!({"a": 2, "b": 3}))]).text("It is 5.");
/// let request = Request::new("any").user("What is 2 and 3?");
/// let mut runner = Runner::new(model.clone(), toolkit![add], request);
/// runner.next_message().await?;
/// let stored: String = serde_json::to_string(&runner.state()).unwrap();
///
/// // Later, perhaps in another process:
/// let state: RunState = serde_json::from_str(&stored).unwrap();
/// let mut runner = Runner::resume(model, toolkit![add], state)?;
/// assert_eq!(runner.run_to_completion().await?.reply.text(), "It is 5.");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunState(Box<Saved>);

/// The state without what is known by identity: messages of the history are told by their places in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Saved {
    /// First, so that it is read before anything that may have changed.
    version: Version,
    request: Request,
    phase: SavedPhase,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<SavedCall>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    queued: Vec<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_reply: Option<SavedReply>,
    iterations: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    compactions: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    cut_replies: usize,
    pauses: usize,
    usage: Usage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    container: Option<Container>,
    #[serde(default, skip_serializing_if = "Repeats::is_empty")]
    repeats: Repeats,
    #[serde(default, skip_serializing_if = "Changes::are_none")]
    changes: Changes,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compaction: Option<Compaction>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    abandoned: Vec<ToolCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    final_turn_at: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    end_is_told: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedPhase {
    Ask,
    Continue {
        at: usize,
    },
    Calls {
        at: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        then: Option<SavedEnd>,
    },
    Ended(SavedEnd),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedEnd {
    outcome: Outcome,
    /// Whether the last reply is kept apart from the history.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_apart: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedCall {
    entry: Entry,
    /// Whether the toolkit had a tool for it: a model may call what there is not.
    has_tool: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedReply {
    /// Without its message, where that is in the history.
    reply: Reply,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// The version of the format.
#[derive(Clone, Copy, Debug)]
struct Version;

const VERSION: u32 = 1;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VERSION.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self),
            other => Err(serde::de::Error::custom(format_args!(
                "a run's state of version {other}, and this version of haft reads version {VERSION}; resume it with \
                 the version that wrote it"
            ))),
        }
    }
}

impl Runner {
    /// Where the run stands, to be kept. What is under way in a stream that is dropped later is not in it.
    #[must_use]
    pub fn state(&self) -> RunState {
        let mut state = self.state.clone();
        state.settle(&self.provider.api());
        state.notice_edits();
        let has_tool = |call: &ToolCall| self.toolkit.get(call.name()).is_some();
        RunState(Box::new(Saved::of(state, has_tool)))
    }

    /// A run that goes on from a state, with the settings of a new one.
    ///
    /// Finished calls do not run again. Those that had started are treated as after a dropped turn: tools that are
    /// `idempotent` or `read_only` run again, and of others the model is told that their effect is unknown.
    ///
    /// # Errors
    /// Where a call is pending whose tool the toolkit does not have any more, or the state was not made by haft.
    pub fn resume(
        provider: impl Provider + 'static,
        toolkit: Toolkit,
        state: RunState,
    ) -> Result<Self, Error> {
        let saved = *state.0;
        if let Some(call) = saved.without_tool(&toolkit) {
            return Err(tool_is_gone(call));
        }
        let state = saved.into_state().ok_or_else(not_a_state)?;
        let mut runner = Self::new(provider, toolkit, Request::new(""));
        runner.state = state;
        Ok(runner)
    }
}

fn tool_is_gone(call: &ToolCall) -> Error {
    Error::request(format!(
        "call `{}` is pending, and no tool of the toolkit runs `{}`; resume with a toolkit that has it",
        call.id(),
        call.name()
    ))
}

fn not_a_state() -> Error {
    Error::request(
        "the state tells of messages that its history does not have; it was changed outside of haft",
    )
}

impl Saved {
    fn of(state: State, has_tool: impl Fn(&ToolCall) -> bool) -> Self {
        let phase = match &state.phase {
            Phase::Ask => SavedPhase::Ask,
            Phase::Continue(message) => match state.position(message) {
                Some(at) => SavedPhase::Continue { at },
                None => SavedPhase::Ask,
            },
            Phase::Calls(pending) => match state.position(&pending.message) {
                Some(at) => SavedPhase::Calls {
                    at,
                    then: pending.then.as_ref().map(SavedEnd::of),
                },
                None => SavedPhase::Ask,
            },
            Phase::Ended(ended) => SavedPhase::Ended(SavedEnd::of(ended)),
        };
        let last_reply = state.last_reply.as_ref().map(|reply| {
            let at = state.position(reply.message());
            let nothing = || Message::new(Role::Assistant, Vec::new());
            let reply = match at {
                Some(_) => reply.clone().with_message(nothing()),
                None => reply.clone(),
            };
            SavedReply { reply, at }
        });
        let saved = |entry: Entry| SavedCall {
            has_tool: has_tool(&entry.call),
            entry,
        };
        let changes = state.changes.placed_in(&state.request.messages);
        Self {
            version: Version,
            phase,
            calls: state.calls.into_entries().map(saved).collect(),
            last_reply,
            request: state.request,
            queued: state.queued,
            iterations: state.iterations,
            compactions: state.compactions,
            cut_replies: state.cut_replies,
            pauses: state.pauses,
            usage: state.usage.total,
            container: state.container,
            repeats: state.repeats,
            changes,
            compaction: state.compaction,
            abandoned: state.abandoned,
            final_turn_at: state.final_turn_at,
            end_is_told: state.end_is_told,
        }
    }

    /// A call that the toolkit can no longer run.
    fn without_tool(&self, toolkit: &Toolkit) -> Option<&ToolCall> {
        let pending = self.calls.iter().filter(|saved| !saved.entry.is_finished());
        let mut calls = pending
            .filter(|saved| saved.has_tool)
            .map(|saved| &saved.entry.call);
        calls.find(|call| toolkit.get(call.name()).is_none())
    }

    /// `None` where the history does not have what the state tells of.
    fn into_state(self) -> Option<State> {
        let messages = &self.request.messages;
        let last_reply = match self.last_reply {
            Some(SavedReply { reply, at: None }) => Some(reply),
            Some(SavedReply {
                reply,
                at: Some(at),
            }) => Some(reply.with_message(messages.get(at)?.clone())),
            None => None,
        };
        let ended = |end: SavedEnd| Ended {
            outcome: end.outcome,
            apart: last_reply
                .as_ref()
                .filter(|_| end.is_apart)
                .map(|reply| reply.message().clone()),
        };
        let phase = match self.phase {
            SavedPhase::Ask => Phase::Ask,
            SavedPhase::Continue { at } => Phase::Continue(messages.get(at)?.clone()),
            SavedPhase::Calls { at, then } => Phase::Calls(Pending {
                message: messages.get(at)?.clone(),
                then: then.map(ended),
            }),
            SavedPhase::Ended(end) => Phase::Ended(ended(end)),
        };
        let changes = self.changes.found_in(&self.request.messages);
        Some(State {
            request: self.request,
            queued: self.queued,
            phase,
            calls: Calls::of_entries(self.calls.into_iter().map(|saved| saved.entry)),
            arriving: Arriving::default(),
            last_reply,
            iterations: self.iterations,
            compactions: self.compactions,
            cut_replies: self.cut_replies,
            pauses: self.pauses,
            usage: Spent::of(self.usage),
            container: self.container,
            repeats: self.repeats,
            changes,
            compaction: self.compaction,
            abandoned: self.abandoned,
            final_turn_at: self.final_turn_at,
            end_is_told: self.end_is_told,
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl SavedEnd {
    fn of(ended: &Ended) -> Self {
        Self {
            outcome: ended.outcome.clone(),
            is_apart: ended.apart.is_some(),
        }
    }
}
