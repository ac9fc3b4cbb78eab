//! What peers of haft got wrong, as their users told it: inputs and verdicts of `../shared/cases/rust-peers.md`, by
//! their numbers there.
//!
//! What the compiler says is in `ui`. RP-18: `name/fail/{characters, empty, too_long, derived_too_long}.rs` and
//! `name/pass/{given, raw_identifiers, like_the_standard_library}.rs`. RP-19: `types/fail/no_argument.rs` and its
//! neighbours, `parameters/fail/{string_slice, pattern, receiver, impl_trait}.rs`, `function/fail/{generic_type,
//! not_send}.rs`, `results/fail/serialize.rs`, and aliases of `Result` in `results/pass/errors.rs`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::atomic::{AtomicUsize, Ordering};

use haft::serde_json::{Value, json};
use haft::{ErrorKind, FunctionTool, RawJson, Tool, ToolCall, ToolResult, Toolkit, tool, toolkit};

/// The schema of a tool that takes no state.
fn schema(tool: &impl Tool) -> &Value {
    tool.definition().input_schema()
}

/// Calls the only tool.
async fn call(kit: &Toolkit, input: Value) -> ToolResult {
    let name = kit.names().next().unwrap();
    kit.call(name, input).await
}

/// Calls the only tool with the text that a model wrote.
async fn call_with_text(kit: &Toolkit, input: &str) -> ToolResult {
    let name = kit.names().next().unwrap();
    let input = RawJson::parse(input).unwrap();
    kit.run(&ToolCall::new("call_1", name, input)).await
}

mod rp_1 {
    use super::*;

    #[tool(name = "ping", description = "p")]
    async fn ping() -> String {
        "pong".to_owned()
    }

    #[test]
    fn a_tool_without_arguments_is_an_object_without_properties() {
        let schema = schema(&ping {});
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["properties"], json!({}));
        assert!(schema.get("required").is_none_or(|keys| keys == &json!([])));
    }

    #[tokio::test]
    async fn nothing_is_the_empty_object() {
        let kit = toolkit![ping];
        for nothing in ["{}", "null", "\"\"", " { } "] {
            let result = call_with_text(&kit, nothing).await;
            assert_eq!(result.text(), "pong", "{nothing}");
        }
        let absent = ToolCall::new("call_1", "ping", RawJson::empty_object());
        assert_eq!(kit.run(&absent).await.text(), "pong");
        for something in ["[]", "\"x\"", "3", "{\"x\": 1}"] {
            let result = call_with_text(&kit, something).await;
            assert!(result.is_error(), "{something}");
        }
    }
}

mod rp_2 {
    use super::*;

    /// Find.
    #[tool]
    async fn find(q: Option<String>, limit: Option<u32>) -> String {
        format!("{q:?} {limit:?}")
    }

    /// Find.
    #[tool]
    async fn find_one(q: String) -> String {
        q
    }

    #[tokio::test]
    async fn nothing_is_no_optional_argument() {
        for nothing in ["null", "\"\"", "{}"] {
            let result = call_with_text(&toolkit![find], nothing).await;
            assert_eq!(result.text(), "None None", "{nothing}");
        }
    }

    #[tokio::test]
    async fn a_required_argument_is_missed_by_its_name() {
        for nothing in ["null", "\"\"", "{}"] {
            let result = call_with_text(&toolkit![find_one], nothing).await;
            assert!(result.is_error(), "{nothing}");
            assert!(
                result.text().ends_with("q: required, but missing"),
                "{}",
                result.text()
            );
        }
    }
}

mod rp_6 {
    use super::*;

    /// List the columns.
    #[tool]
    async fn columns(tables: Option<Vec<String>>) -> String {
        format!("{tables:?}")
    }

    #[tokio::test]
    async fn an_optional_list_is_a_list() {
        let schema = schema(&columns {});
        assert_eq!(
            schema["properties"]["tables"],
            json!({"type": "array", "items": {"type": "string"}})
        );
        assert_eq!(schema["required"], json!([]));
        let kit = toolkit![columns];
        assert_eq!(call(&kit, json!({})).await.text(), "None");
        let result = call(&kit, json!({"tables": ["a"]})).await;
        assert_eq!(result.text(), "Some([\"a\"])");
        assert!(call(&kit, json!({"tables": "a"})).await.is_error());
    }
}

/// The function of RP-15 and RP-16, and how often its body ran.
mod open {
    use super::*;

    pub(super) static RUNS: AtomicUsize = AtomicUsize::new(0);

    /// Open a file.
    #[tool]
    pub(super) async fn open(path: String, line: u32) -> String {
        RUNS.fetch_add(1, Ordering::Relaxed);
        format!("{path}:{line}")
    }
}

#[tokio::test]
async fn rp_15_all_problems_are_told_and_none_by_line_and_column() {
    let result = call(&toolkit![open::open], json!({"line": "x", "pth": "/a"})).await;
    assert!(result.is_error());
    let text = result.text();
    for problem in ["path: required, but missing", "line: expected", "pth"] {
        assert!(text.contains(problem), "{problem} in {text}");
    }
    assert!(!text.contains("column"), "{text}");
}

#[tokio::test]
async fn rp_16_what_does_not_fit_never_reaches_the_body() {
    let kit = toolkit![open::open];
    for bad in [
        json!(["/a", 3]),
        json!({"path": 5, "line": 1}),
        json!({"path": "/a", "line": -1}),
        json!({"path": "/a"}),
        json!({"path": "/a", "line": null}),
    ] {
        assert!(call(&kit, bad.clone()).await.is_error(), "{bad}");
    }
    assert_eq!(open::RUNS.load(Ordering::Relaxed), 0);
    assert_eq!(
        call(&kit, json!({"path": "/a", "line": 3})).await.text(),
        "/a:3"
    );
    assert_eq!(open::RUNS.load(Ordering::Relaxed), 1);
}

mod rp_17 {
    use super::*;

    /// The first.
    #[tool]
    async fn dup() {}

    mod elsewhere {
        /// The second.
        #[haft::tool]
        pub(super) async fn dup() {}

        /// The third, by another name.
        #[haft::tool(name = "dup")]
        pub(super) async fn other() {}
    }

    /// Lists of toolkits are made in lines of their own, which the error tells.
    fn kits() -> [Toolkit; 3] {
        [
            toolkit![dup],
            toolkit![elsewhere::dup],
            toolkit![elsewhere::other],
        ]
    }

    #[test]
    fn two_tools_of_one_name_are_an_error_with_both_places() {
        let [first, second, renamed] = kits();
        for later in [second, renamed] {
            let error = first.clone().extend(later).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Definition);
            let text = error.to_string();
            assert!(text.contains("`dup`"), "{text}");
            assert_eq!(text.matches("peers.rs:").count(), 2, "{text}");
        }
        let schema = json!({"type": "object", "properties": {}});
        let made = FunctionTool::from_schema("dup", "", schema, |_: Value| async {}).unwrap();
        assert!(first.with(made).is_err());
    }

    #[test]
    fn the_order_is_that_of_the_list_each_time() {
        /// One more.
        #[tool]
        async fn a() {}

        for _ in 0..10 {
            let kit: Toolkit = toolkit![elsewhere::other, a];
            assert_eq!(kit.names().collect::<Vec<_>>(), ["dup", "a"]);
            let kit: Toolkit = toolkit![a, dup];
            let definitions: Vec<_> = kit.definitions().map(|tool| tool.name()).collect();
            assert_eq!(definitions, ["a", "dup"]);
        }
    }
}

mod rp_18 {
    use super::*;

    /// A name of 64 characters.
    #[tool(name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
    async fn longest() {}

    /// A word of Rust's.
    #[tool]
    async fn r#type(r#fn: u8) -> u8 {
        r#fn
    }

    /// Like the standard library's.
    #[tool]
    async fn string(text: String) -> String {
        text
    }

    /// Like the standard library's.
    #[tool]
    async fn result(number: u8) -> Result<u8, std::fmt::Error> {
        Ok(number)
    }

    /// Like the standard library's.
    #[tool]
    async fn vec(items: Vec<u8>) -> usize {
        items.len()
    }

    #[tokio::test]
    async fn names_that_fit_are_taken() {
        let kit: Toolkit = toolkit![longest, r#type, string, result, vec];
        let names: Vec<_> = kit.names().collect();
        assert_eq!((names[0].len(), names[1]), (64, "type"));
        assert_eq!(kit.call("type", json!({"fn": 3})).await.text(), "3");
        let result = kit.call("vec", json!({"items": [1, 2]})).await;
        assert_eq!(result.text(), "2");
    }

    #[test]
    fn names_given_at_run_time_are_judged_by_the_same_rule() {
        let schema = json!({"type": "object", "properties": {}});
        let make =
            |name: &str| FunctionTool::from_schema(name, "", schema.clone(), |_: Value| async {});
        for name in ["my tool!", "", "a.b", &"a".repeat(65)] {
            let error = make(name).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Definition, "{name}");
        }
        assert!(make(&"a".repeat(64)).is_ok());
    }
}

mod rp_19 {
    use super::*;

    type Answer<T> = Result<T, std::num::ParseIntError>;

    /// Parse.
    #[tool]
    async fn parse(text: String) -> Answer<u8> {
        text.parse()
    }

    #[tokio::test]
    async fn an_alias_of_result_is_a_result() {
        let kit = toolkit![parse];
        assert_eq!(call(&kit, json!({"text": "7"})).await.text(), "7");
        let result = call(&kit, json!({"text": "x"})).await;
        assert_eq!(
            (result.text().as_str(), result.is_error()),
            ("Error: invalid digit found in string", true)
        );
    }
}
