// A tool's type has the function's name, and hides nothing that differs in case or kind.
use haft::{Toolkit, serde_json::json, tool, toolkit};

/// A string.
#[tool]
async fn string(text: String) -> String {
    text
}

/// A result.
#[tool]
async fn result(text: String) -> Result<String, String> {
    Err(text)
}

/// A vector.
#[tool]
async fn vec(texts: Vec<String>) -> String {
    vec![texts.concat()].concat()
}

/// An option.
#[tool]
async fn option(text: Option<String>) -> Option<String> {
    text
}

/// A box.
#[tool]
async fn r#box(text: Box<String>) -> String {
    *text
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![string, result, vec, option, r#box];
    assert_eq!(
        kit.names().collect::<Vec<_>>(),
        ["string", "result", "vec", "option", "box"]
    );
    assert_eq!(kit.call("string", json!({"text": "a"})).await.text(), "a");
    assert_eq!(
        kit.call("result", json!({"text": "a"})).await.text(),
        "Error: a"
    );
    assert_eq!(
        kit.call("vec", json!({"texts": ["a", "b"]})).await.text(),
        "ab"
    );
    assert_eq!(kit.call("option", json!({})).await.text(), "");
    assert_eq!(kit.call("box", json!({"text": "a"})).await.text(), "a");
}
