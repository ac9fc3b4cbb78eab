//! OpenAI's two APIs: what is sent, what is made of replies, and how a conversation moves from one API to another.
//!
//! Bodies are also written to `HAFT_BODIES`, for a check against the official types; `.ci/run` does that.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod answers;
mod bodies;
mod chat_servers;
mod commands;
mod definitions;
mod environment;
mod half_characters;
mod messages;
mod names;
mod previous;
mod setup;
mod strict;
mod switching;
