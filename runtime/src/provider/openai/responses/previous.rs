//! [`Previous`]: the reply that the API has stored, behind which only what is new is sent.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::message::{Message, Reply, StopReason};
use crate::provider::ModelCall;
use crate::provider::kept::Kept;

/// Where the conversation of one provider stands at the API. A clone of a provider has another one.
#[derive(Debug)]
pub(super) struct Previous {
    is_on: bool,
    position: Mutex<Option<Kept>>,
}

/// How a request goes with what the API has stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// All is sent, and nothing stored.
    Whole,
    /// All is sent, to be stored.
    Store,
    /// What is new, behind this reply: the messages from this one on.
    Continue { id: String, from: usize },
}

impl Previous {
    pub(super) const fn new(is_on: bool) -> Self {
        Self {
            is_on,
            position: Mutex::new(None),
        }
    }

    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    pub(super) fn plan(&self, call: ModelCall<'_>) -> Plan {
        let messages = &call.request().messages;
        match &*self.lock() {
            Some(kept) if kept.goes_on_in(messages) => Plan::Continue {
                id: kept.id.clone(),
                from: kept.messages.len(),
            },
            _ => Plan::Store,
        }
    }

    /// How the same is sent again after a failure that has to do with what is stored; `None` for any other.
    pub(super) fn after(&self, plan: &Plan, error: &Error) -> Option<Plan> {
        (is_lost(error) && matches!(plan, Plan::Continue { .. })).then(|| {
            *self.lock() = None;
            Plan::Store
        })
    }

    /// Takes in what was answered to a call.
    pub(super) fn take_in(&self, call: ModelCall<'_>, reply: &Reply) {
        let is_kept = !reply.id().is_empty()
            && matches!(
                reply.stop_reason(),
                StopReason::EndTurn | StopReason::ToolUse
            );
        *self.lock() = is_kept.then(|| {
            let mut messages: Vec<Message> = call.request().messages.clone();
            messages.push(reply.message().clone());
            Kept {
                id: reply.id().to_owned(),
                messages,
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        // It is replaced as a whole, never half.
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the server does not have the reply. OpenAI has a code for it; others only say so, or answer 404 and nothing
/// else. Where that is of something else, such as the model, the whole conversation meets the same answer.
fn is_lost(error: &Error) -> bool {
    let message = error.provider_message().unwrap_or_default().to_lowercase();
    let is_named = message.contains("previous_response_id")
        || (message.contains("previous response") && message.contains("not found"));
    match error.status() {
        _ if error.code() == Some("previous_response_not_found") => true,
        Some(404) => true,
        Some(400) => is_named,
        _ => false,
    }
}

impl Clone for Previous {
    fn clone(&self) -> Self {
        Self::new(self.is_on)
    }
}
