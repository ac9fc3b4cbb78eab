//! [`Speech`]: what the API of a script can say. What it cannot is not drawn for it.

use haft::{Api, StopReason};

/// What an API can say of a reply.
#[derive(Debug)]
pub(crate) struct Speech {
    pub(crate) api: Api,
    /// Whether replies come over HTTP, through the codec of the API.
    pub(crate) is_wired: bool,
    /// Whether a reply may begin anew.
    pub(crate) restarts: bool,
    /// Whether another model may take over in its middle.
    pub(crate) sets_aside: bool,
    /// Whether parts of several blocks may come in turn.
    pub(crate) interleaves: bool,
    /// Whether a reply may have any blocks in any order. Else it has reasoning, a text and calls, each text once.
    pub(crate) is_loose: bool,
    /// The reason of an end as this API can tell it: what was drawn, whether there are calls.
    pub(crate) reason: fn(StopReason, bool) -> StopReason,
    /// How many of the ends of runs and starts of calls are to be seen.
    pub(crate) kinds: usize,
}

/// The model in the process says everything.
pub(crate) static IN_PROCESS: Speech = Speech {
    api: Api::new_static("scripts"),
    is_wired: false,
    restarts: true,
    sets_aside: true,
    interleaves: false,
    is_loose: true,
    reason: |drawn, _| drawn,
    kinds: 14,
};

pub(crate) static ANTHROPIC: Speech = Speech {
    api: Api::ANTHROPIC_MESSAGES,
    is_wired: true,
    restarts: true,
    sets_aside: true,
    interleaves: true,
    is_loose: true,
    reason: |drawn, _| drawn,
    kinds: 14,
};

/// It knows neither a pause nor a context that is full, so two ends are missing; and with no other model that takes over,
/// calls are given up too seldom to be looked for.
pub(crate) static RESPONSES: Speech = Speech {
    api: Api::OPENAI_RESPONSES,
    is_wired: true,
    restarts: false,
    sets_aside: false,
    interleaves: true,
    is_loose: true,
    reason: |drawn, has_calls| match drawn {
        StopReason::MaxTokens | StopReason::Refusal | StopReason::Other(_) => drawn,
        _ => natural(has_calls),
    },
    kinds: 11,
};

/// As [`RESPONSES`]. Where there are calls, no other word than that they are cut or refused counts.
pub(crate) static CHAT: Speech = Speech {
    api: Api::OPENAI_CHAT,
    is_wired: true,
    restarts: false,
    sets_aside: false,
    interleaves: false,
    is_loose: false,
    reason: |drawn, has_calls| match drawn {
        StopReason::MaxTokens | StopReason::Refusal => drawn,
        StopReason::Other(_) if !has_calls => drawn,
        _ => natural(has_calls),
    },
    kinds: 11,
};

const fn natural(has_calls: bool) -> StopReason {
    if has_calls {
        StopReason::ToolUse
    } else {
        StopReason::EndTurn
    }
}
