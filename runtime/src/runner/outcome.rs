//! [`End`] and [`Outcome`]: how a run ended.

use crate::message::{Refusal, Reply, StopReason, ToolCall, Usage};

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct End {
    /// The last reply; an empty one where none came.
    pub reply: Reply,
    /// Why the run ended.
    pub outcome: Outcome,
    /// The tokens of all replies of the run.
    pub usage: Usage,
}

/// Why a run ended. Only [`Completed`](Self::Completed) means that the model said what it had to say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The model was done. Its reply is in the history, unless it was empty.
    Completed,
    /// The run reached [`max_iterations`](crate::Runner::max_iterations). The reply is in the history, and its calls
    /// have not run; raising the cap and going on runs them.
    Capped {
        /// The calls that did not run.
        pending: Vec<ToolCall>,
    },
    /// The reply reached its `max_tokens`. It is not in the history; a message appended now puts it there, its calls
    /// answered as not run.
    Truncated {
        /// The call that was cut, if the reply ended in one. It has not run, and its input may be incomplete.
        incomplete: Option<ToolCall>,
    },
    /// The model's context is full. The reply is kept apart, as for [`Truncated`](Self::Truncated).
    ContextFull,
    /// The model refused. The reply is not in the history.
    Refused {
        /// What the provider says of it.
        details: Option<Refusal>,
        /// Calls of the reply that had started before the refusal came.
        started: Vec<ToolCall>,
    },
    /// A server tool paused too often in a row. Going on resumes it.
    Paused,
    /// Calls wait for an answer by [`Runner::decide`](crate::Runner::decide); the others of the reply have run.
    AwaitingApproval {
        /// The calls that wait.
        calls: Vec<ToolCall>,
    },
    /// The reply ended for a reason that haft does not know, or that does not fit calls in it. None of its calls ran.
    Unknown {
        /// The reason.
        stop_reason: StopReason,
        /// The calls that did not run.
        pending: Vec<ToolCall>,
    },
}
