//! What a reply leads to: [`phase_after`]. Pure.

use super::outcome::Outcome;
use super::state::{Ended, Pending, Phase};
use crate::message::{Message, Reply, StopReason, ToolCall};

/// How often in a row a reply may only pause, or only compact the history.
const MAX_PAUSES: usize = 10;

/// What a reply leads to. The reasons are the codec's to say; here is what each means.
pub(super) fn phase_after(pauses: usize, reply: &Reply) -> Phase {
    let message = reply.message();
    let has_calls = message.tool_calls().next().is_some();
    let outcome = match reply.stop_reason() {
        StopReason::ToolUse | StopReason::PauseTurn if has_calls => {
            return Phase::Calls(Pending {
                message: message.clone(),
                then: None,
            });
        }
        StopReason::PauseTurn | StopReason::Compaction if !has_calls && pauses < MAX_PAUSES => {
            return Phase::Continue(message.clone());
        }
        StopReason::PauseTurn | StopReason::Compaction if !has_calls => Outcome::Paused,
        StopReason::EndTurn | StopReason::StopSequence | StopReason::ToolUse if !has_calls => {
            Outcome::Completed
        }
        StopReason::MaxTokens => Outcome::Truncated {
            incomplete: cut_call(message).cloned(),
        },
        StopReason::ContextFull => Outcome::ContextFull,
        StopReason::Refusal => Outcome::Refused {
            details: reply.refusal().cloned(),
            started: Vec::new(),
        },
        other => Outcome::Unknown {
            stop_reason: other.clone(),
            pending: message.tool_calls().cloned().collect(),
        },
    };
    let is_apart = matches!(outcome, Outcome::Truncated { .. } | Outcome::ContextFull);
    Phase::Ended(Ended {
        outcome,
        apart: is_apart.then(|| message.clone()),
    })
}

pub(super) fn is_pause(phase: &Phase) -> bool {
    match phase {
        Phase::Continue(_) => true,
        Phase::Ended(ended) => ended.outcome == Outcome::Paused,
        Phase::Ask | Phase::Calls(_) => false,
    }
}

/// The call that a reply was cut in: its last block, if that is one.
fn cut_call(message: &Message) -> Option<&ToolCall> {
    message.content().last()?.as_tool_call()
}
