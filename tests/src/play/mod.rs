//! Plays recorded conversations with haft: the runner goes through a tool loop again, and every reply is decoded.

mod anthropic;
mod chat;
mod decoding;
mod looping;
mod responses;
mod speaks;
mod tools;

use haft::{Outcome, RawJson};

use crate::recording::{Exchange, LoadError, Payload, Recording};

/// What came of one recording.
#[derive(Debug)]
pub struct Played {
    /// The recording's name.
    pub name: String,
    /// Whether it went as recorded.
    pub verdict: Verdict,
    /// How the run ended, in a word.
    pub outcome: Option<String>,
    /// The last reply, as the API sent it.
    pub reply: Option<RawJson>,
}

impl Played {
    /// For a file that is no recording.
    #[must_use]
    pub fn unreadable(error: &LoadError) -> Self {
        let verdict = Verdict::Failed(error.reason.clone());
        Self {
            name: error.path.display().to_string(),
            verdict,
            outcome: None,
            reply: None,
        }
    }
}

/// Whether a recording went as it should.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It did.
    Passed,
    /// What differed.
    Failed(String),
    /// Why it was not played.
    Skipped(String),
}

/// How the turns of a loop are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As they were recorded: as a stream or not.
    #[default]
    Recorded,
    /// The other way; the server turns its answers.
    Other,
}

/// How a play ended: in a word, and with the last reply.
struct Ended {
    outcome: String,
    reply: Option<RawJson>,
}

/// Plays one recording against a server in the process, which checks what arrives.
///
/// With a `base_url`, it is played against the server there, and nothing is checked but that it ends.
pub async fn play(recording: &Recording, mode: Mode, base_url: Option<&str>) -> Played {
    let mut played = Played {
        name: recording.name.clone(),
        verdict: Verdict::Passed,
        outcome: None,
        reply: None,
    };
    let result = match &recording.replay {
        Some(replay) => looping::play(recording, replay, mode, base_url).await,
        None => decoding::play(recording, base_url).await,
    };
    match result {
        Ok(Ended { outcome, reply }) => {
            (played.outcome, played.reply) = (Some(outcome), reply);
        }
        Err(reason) => played.verdict = Verdict::Failed(reason),
    }
    played
}

fn is_stream(exchange: &Exchange) -> bool {
    matches!(exchange.response.payload, Payload::Sse(_))
}

/// An outcome in a word.
fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Capped { .. } => "capped",
        Outcome::Truncated { .. } => "truncated",
        Outcome::ContextFull => "context_full",
        Outcome::Refused { .. } => "refused",
        Outcome::Paused => "paused",
        Outcome::AwaitingApproval { .. } => "awaiting_approval",
        Outcome::Cancelled => "cancelled",
        Outcome::Looping { .. } => "looping",
        Outcome::Unknown { .. } => "unknown",
        _ => "another",
    }
}
