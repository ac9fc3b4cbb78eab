//! Message threads: the API keeps a conversation for some minutes, and is sent only what is new in it.
//!
//! The program stays the one that has it all: where the API has lost a thread, or cannot go on with it, the whole history
//! is sent again, and nobody notices.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::definitions::write_tools;
use super::{betas, blocks};
use crate::error::Error;
use crate::message::{Reply, StopReason};
use crate::provider::ModelCall;
use crate::provider::kept::Kept;

/// The beta that each request with a thread needs.
pub(super) const BETA: &str = betas::MESSAGE_THREADS;
/// The field of a body.
pub(super) const FIELD: &str = "thread";

/// Where the conversation of one provider stands at the API. A clone of a provider has another one.
#[derive(Debug)]
pub(super) struct Threads {
    is_on: bool,
    position: Mutex<Position>,
}

#[derive(Debug, Default)]
enum Position {
    /// The next request makes a thread; whether in place of one that was lost.
    #[default]
    New,
    Replacing,
    At(Thread),
    /// The API does not keep such conversations, or loses them at once.
    Off,
}

#[derive(Debug)]
struct Thread {
    kept: Kept,
    /// What it has of system and tools, which it does not take again.
    head: u64,
    /// Whether it was made in place of one that was lost, and nothing has gone on since.
    is_replacement: bool,
}

/// How a request goes with a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Without one.
    Whole,
    /// All of it, to be kept.
    Create,
    /// What is new, behind this reply: the messages from this one on.
    Continue { id: String, from: usize },
}

impl Threads {
    pub(super) const fn new(is_on: bool) -> Self {
        Self {
            is_on,
            position: Mutex::new(Position::New),
        }
    }

    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// # Errors
    /// Where the definitions cannot be sent.
    pub(super) fn plan(&self, call: ModelCall<'_>) -> Result<Plan, Error> {
        if !self.is_on {
            return Ok(Plan::Whole);
        }
        let messages = &call.request().messages;
        let head = head(call)?;
        Ok(match &*self.lock() {
            Position::Off => Plan::Whole,
            // A summary is asked for beside the conversation, and takes its place afterwards.
            Position::At(thread)
                if thread.head == head
                    && thread.kept.goes_on_in(messages)
                    && !call.is_for_summary() =>
            {
                Plan::Continue {
                    id: thread.kept.id.clone(),
                    from: thread.kept.messages.len(),
                }
            }
            Position::New | Position::Replacing | Position::At(_) => Plan::Create,
        })
    }

    /// How the same is sent again after a failure that has to do with threads; `None` for any other.
    pub(super) fn after(&self, plan: &Plan, error: &Error) -> Option<Plan> {
        let mut position = self.lock();
        match (error.code()?, plan) {
            ("thread_unsupported_request", Plan::Create | Plan::Continue { .. }) => {
                *position = Position::Off;
                Some(Plan::Whole)
            }
            ("thread_not_found", Plan::Continue { .. }) => {
                let is_lost_again =
                    matches!(&*position, Position::At(thread) if thread.is_replacement);
                let (then, plan) = if is_lost_again {
                    (Position::Off, Plan::Whole)
                } else {
                    (Position::Replacing, Plan::Create)
                };
                *position = then;
                Some(plan)
            }
            // Of the last: other options than those that the thread was made with.
            (
                "thread_already_continued"
                | "thread_continue_in_flight"
                | "thread_fingerprint_mismatch",
                Plan::Continue { .. },
            ) => {
                *position = Position::New;
                Some(Plan::Create)
            }
            _ => None,
        }
    }

    /// Takes in what was answered to a call that was sent so.
    pub(super) fn take_in(&self, plan: &Plan, call: ModelCall<'_>, reply: &Reply) {
        if *plan == Plan::Whole || call.is_for_summary() {
            return;
        }
        let mut position = self.lock();
        let is_kept = !reply.id().is_empty()
            && *reply.stop_reason() != StopReason::Refusal
            && !was_answered_by_another(reply);
        let Some(head) = head(call).ok().filter(|_| is_kept) else {
            *position = Position::New;
            return;
        };
        let mut messages = call.request().messages.clone();
        messages.push(reply.message().clone());
        *position = Position::At(Thread {
            kept: Kept {
                id: reply.id().to_owned(),
                messages,
            },
            head,
            is_replacement: *plan == Plan::Create && matches!(*position, Position::Replacing),
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Position> {
        // It is replaced as a whole, never half.
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Threads {
    fn clone(&self) -> Self {
        Self::new(self.is_on)
    }
}

/// What the API keeps beside the messages, and refuses to be sent again.
fn head(call: ModelCall<'_>) -> Result<u64, Error> {
    let (request, definitions) = (call.request(), call.definitions());
    let mut hasher = DefaultHasher::new();
    blocks::blocks(&request.system, definitions.names()).hash(&mut hasher);
    let mut tools = Vec::new();
    write_tools(&mut tools, definitions)?;
    tools.hash(&mut hasher);
    for key in ["system", "tools"] {
        let option = request.options.get(key).map(ToString::to_string);
        option.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// What a fallback model wrote is not kept.
fn was_answered_by_another(reply: &Reply) -> bool {
    let usage = reply.usage().raw.as_ref().map(|raw| raw.to_value());
    let iterations = usage
        .as_ref()
        .and_then(|usage| usage.get("iterations")?.as_array());
    let mut kinds = iterations
        .into_iter()
        .flatten()
        .filter_map(|it| it.get("type"));
    kinds.any(|kind| kind == "fallback_message")
}

#[cfg(test)]
mod tests;
