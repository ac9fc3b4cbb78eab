//! A run as a stream: what is told and when, what a stream leaves that ends early, and calls that start early.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod dropped;
mod early;
mod events;
mod limits;

use std::time::Duration;

use haft::serde_json::json;
use haft::testing::ScriptedReply;
use haft::{CallContext, Event, Stream, StreamExt, Usage, tool};
use haft_tests::lines::{self};

/// Tells that it is half done.
#[tool]
async fn steps(call: &CallContext) -> &'static str {
    call.progress("half");
    "all"
}

const MS_100: Duration = Duration::from_millis(100);
const MS_300: Duration = Duration::from_millis(300);

fn usage(input: u64, output: u64) -> Usage {
    let mut usage = Usage::default();
    (usage.input, usage.output) = (input, output);
    usage
}

/// All that a stream tells; an error as its kind.
async fn heard(stream: impl Stream<Item = Result<Event, haft::Error>>) -> Vec<String> {
    let line = |event: Result<Event, haft::Error>| match event {
        Ok(event) => lines::event(&event),
        Err(error) => format!("error {:?}", error.kind()),
    };
    stream.map(line).collect().await
}

/// A reply that has some of everything.
fn varied() -> ScriptedReply {
    ScriptedReply::new()
        .thinking("Hm.")
        .text("Let me")
        .call("steps", json!({}))
}
