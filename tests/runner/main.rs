//! What a runner makes of replies: what runs, what is sent next, and how the run ends.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod breaks;
mod calls;
mod edits;
mod ends;
mod going_on;
mod tools;
mod turns;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft::serde_json::{Value, json};
use haft::{FunctionTool, Message, Request, ToolError, Toolkit, tool};

/// Adds two integers.
#[tool]
pub(crate) async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Fails, always.
#[tool]
pub(crate) async fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("no luck"))
}

/// Panics, always.
#[tool]
pub(crate) async fn explode() -> String {
    panic!("boom")
}

pub(crate) fn request() -> Request {
    Request::new("any").user("Go")
}

pub(crate) fn add_call() -> [(&'static str, Value); 1] {
    [("add", json!({"a": 2, "b": 3}))]
}

/// A tool that counts how often it ran.
pub(crate) fn counting(name: &str, runs: &Arc<AtomicUsize>) -> FunctionTool {
    let runs = Arc::clone(runs);
    FunctionTool::from_schema(
        name,
        "Counts.",
        json!({"type": "object", "properties": {}}),
        move |_: Value| {
            runs.fetch_add(1, Ordering::SeqCst);
            async { Ok::<_, ToolError>("counted") }
        },
    )
    .unwrap()
}

/// A toolkit with one such tool, `count`, and its count.
pub(crate) fn counter() -> (Toolkit, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = Toolkit::new().with(counting("count", &runs)).unwrap();
    (kit, runs)
}

/// The texts of the results in a message.
pub(crate) fn results(message: &Message) -> Vec<(String, bool)> {
    message
        .tool_results()
        .map(|result| (result.text(), result.is_error()))
        .collect()
}

/// Polls a future once, and drops it.
pub(crate) async fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
        std::task::Poll::Pending => std::task::Poll::Ready(None),
    })
    .await
}
