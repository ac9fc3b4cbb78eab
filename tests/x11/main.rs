//! The computer of an X display, at a server of the test's own: what the model sees, and what a program there is told.
//!
//! They need Xvfb (Debian: xvfb).
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod input;
mod pictures;
mod server;
mod typing;

use haft::serde::de::DeserializeOwned;
use haft::serde_json::{Value, from_value};

/// The input of a member, as the model writes it.
fn input<I: DeserializeOwned>(input: Value) -> I {
    from_value(input).unwrap()
}
