//! The numbered cases of the survey of other runners (`rn_n`) and of the official SDK's faults (`t_n`) that go over the
//! wire: `Anthropic` against a server, in every mode in which a case can come.
//!
//! Those that need no wire stand beside what they are about, with their number in a comment.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod breaks;
mod case;
mod changes;
mod compaction;
mod ends;
mod events;
mod frames;
mod inputs;
mod names;
mod pauses;
mod retries;
mod sent;
mod thinking;
mod toolsets;
