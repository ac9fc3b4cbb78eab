//! Support for the tests: the recorded conversations, a server that plays them, and the comparison of what arrives.
//!
//! What has to do with HTTP and JSON (all but `over`, `play`, `provider`, `lines`, `log` and `told`) knows nothing of
//! haft, so a fault of the library cannot hide in its own test. `lines`, `log` and `told` are for runs in the process,
//! which `over` takes over an API.

pub mod bodies;
pub mod compare;
pub mod equality;
pub mod lines;
pub mod live;
pub mod log;
pub mod message_stream;
pub mod over;
pub mod play;
pub mod provider;
pub mod recording;
pub mod server;
pub mod told;

mod anthropic_messages;
mod connection;
mod normal;
mod openai_chat;
mod openai_responses;
mod reply;
mod wire_body;

use std::fmt::Display;

/// Ends the test that runs, with `reason`.
#[allow(
    clippy::panic,
    reason = "this crate serves tests only: a panic is how a test reports"
)]
pub(crate) fn fail(reason: impl Display) -> ! {
    panic!("{reason}")
}
