//! `Toolkit::collect`: tools that are put down in one crate, and gathered by another.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use haft::serde_json::json;
use haft::{Toolkit, tool};

/// Subtracts two integers.
#[tool(collect)]
async fn subtract(a: i64, b: i64) -> i64 {
    a - b
}

mod elsewhere {
    use haft::tool;

    /// Adds two integers.
    #[tool(collect)]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

/// Not put down.
#[tool]
async fn left_out() {}

#[tokio::test]
async fn tools_that_are_put_down_are_gathered_by_name() {
    let kit = Toolkit::collect().unwrap();
    assert_eq!(kit.names().collect::<Vec<_>>(), ["add", "subtract"]);
    assert_eq!(
        kit.call("subtract", json!({"a": 3, "b": 2})).await.text(),
        "1"
    );
    assert!(kit.clone().with(left_out {}).is_ok());
    let error = kit.with(subtract {}).unwrap_err().to_string();
    assert_eq!(error.matches("collect.rs:").count(), 2, "{error}");
}
