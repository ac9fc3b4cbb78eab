//! The tools that Anthropic defines, as tables: each definition in every version as it is sent, and each command as it is
//! read and written.
//!
//! The bodies are also written to `HAFT_BODIES`, for a check against the official types; `.ci/run` does that.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod commands;
mod definitions;
mod members;
