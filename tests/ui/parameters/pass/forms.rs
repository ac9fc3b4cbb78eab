// What a parameter can be: changed, unused, and with attributes of its own.
#![deny(warnings)]

use std::borrow::Cow;

use haft::{Toolkit, serde_json::json, tool, toolkit};

/// Count the letters.
#[tool]
async fn count(
    mut words: Vec<String>,
    _language: String,
    #[allow(unused)] region: Option<String>,
) -> usize {
    words.push("end".to_owned());
    words.concat().len()
}

/// Join the words.
#[tool]
async fn join<'a>(first: Cow<'a, str>, second: Cow<'_, str>, third: Cow<'static, str>) -> String {
    [first, second, third].concat()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![count, join];
    let result = kit
        .call("count", json!({"words": ["a"], "language": "en"}))
        .await;
    assert_eq!(result.text(), "4");
    let result = kit
        .call("join", json!({"first": "a", "second": "b", "third": "c"}))
        .await;
    assert_eq!(result.text(), "abc");
}
