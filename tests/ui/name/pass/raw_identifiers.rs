// A model sees names without `r#`.
use haft::{Toolkit, serde_json::json, tool, toolkit};

/// Tell the type.
#[tool]
async fn r#type(r#struct: String, r#async: Option<bool>) -> String {
    format!("{struct} {async:?}")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(r#type::NAME, "type");
    let kit: Toolkit = toolkit![r#type];
    let result = kit
        .call("type", json!({"struct": "s", "async": true}))
        .await;
    assert_eq!(result.text(), "s Some(true)");
}
