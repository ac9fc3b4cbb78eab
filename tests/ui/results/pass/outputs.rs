// What a tool can return, and what the model reads of it.
use std::borrow::Cow;

use haft::serde::Serialize;
use haft::serde_json::{Value, json};
use haft::{Content, Json, ToolOutput, Toolkit, tool, toolkit};

#[derive(Serialize)]
#[serde(crate = "haft::serde")]
struct Issue {
    number: u8,
}

macro_rules! outputs {
    ($($name:ident: $type:ty = $value:expr, $text:expr;)*) => {
        $(
            /// Return it.
            #[tool]
            async fn $name() -> $type {
                $value
            }
        )*

        async fn check() {
            let kit: Toolkit = toolkit![$($name),*];
            $(
                let result = kit.call(stringify!($name), json!({})).await;
                assert_eq!((result.text().as_ref(), result.is_error()), ($text, false), stringify!($name));
            )*
        }
    };
}

outputs! {
    string: String = "a".to_owned(), "a";
    slice: &'static str = "a", "a";
    cow: Cow<'static, str> = "a".into(), "a";
    boxed: Box<str> = "a".into(), "a";
    letter: char = 'a', "a";
    yes: bool = true, "true";
    byte: u8 = 1, "1";
    long: i128 = -1, "-1";
    float: f64 = 0.5, "0.5";
    nothing: () = (), "";
    empty: String = String::new(), "";
    some: Option<String> = Some("a".to_owned()), "a";
    none: Option<u8> = None, "";
    list: Json<Vec<Issue>> = Json(vec![Issue { number: 7 }]), r#"[{"number":7}]"#;
    value: Value = json!({"b": 1, "a": 2}), r#"{"b":1,"a":2}"#;
    content: Content = Content::text("a"), "a";
    contents: Vec<Content> = vec![Content::text("a")], "a";
    output: ToolOutput = ToolOutput::text("a"), "a";
    ok: Result<Option<Json<Issue>>, String> = Ok(Some(Json(Issue { number: 7 }))), r#"{"number":7}"#;
}

/// Without a type of result.
#[tool]
async fn unit() {}

/// With an error in the output.
#[tool]
async fn failed() -> ToolOutput {
    ToolOutput::text("a").as_error()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    check().await;
    let kit: Toolkit = toolkit![unit, failed];
    assert!(!kit.call("unit", json!({})).await.is_error());
    assert!(kit.call("failed", json!({})).await.is_error());
}
