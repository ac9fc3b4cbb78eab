// Who calls a deprecated function is warned; the tool that does it for the model is not.
#![deny(warnings)]

use haft::{Toolkit, serde_json::json, tool, toolkit};

/// Tell the time.
#[tool]
#[deprecated = "use `now`"]
async fn time() -> u8 {
    12
}

/// Tell the time.
#[deprecated(note = "use `now`")]
#[tool]
pub fn clock() -> u8 {
    12
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![time, clock];
    assert_eq!(kit.call("time", json!({})).await.text(), "12");
    #[allow(deprecated)]
    let time = time().await;
    assert_eq!(time, 12);
}
