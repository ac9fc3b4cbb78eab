//! What a toolkit does: names, order, duplicates, and one call by itself.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::Arc;
use std::time::Duration;

use haft::serde_json::value::RawValue;
use haft::serde_json::{Value, json};
use haft::{
    ErrorKind, FunctionTool, RawJson, Tool, ToolCall, ToolError, Toolkit, argument, tool, toolkit,
};

/// Adds two integers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says what it is told.
#[tool(name = "echo-2")]
async fn echo(
    /// What to say.
    text: String,
) -> String {
    text
}

fn named(name: &str) -> FunctionTool {
    let schema = json!({"type": "object", "properties": {}});
    FunctionTool::from_schema(name, "", schema, |_: Value| async { "ok" }).unwrap()
}

fn names(kit: &Toolkit) -> Vec<&str> {
    kit.names().collect()
}

#[test]
fn tools_keep_their_order() {
    let kit: Toolkit = toolkit![echo, add];
    let kit = kit.with(named("z")).unwrap().with(named("b")).unwrap();
    assert_eq!(names(&kit), ["echo-2", "add", "z", "b"]);
    assert_eq!((kit.len(), kit.is_empty()), (4, false));
    assert!(Toolkit::<()>::new().is_empty());
}

#[test]
fn a_definition_says_what_the_function_says() {
    let kit: Toolkit = toolkit![echo];
    let definition = kit.get("echo-2").unwrap().definition();
    assert_eq!(
        (definition.name(), definition.description()),
        (echo::NAME, echo::DESCRIPTION)
    );
    assert_eq!(
        *definition.input_schema(),
        json!({
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to say."}},
            "required": ["text"],
            "additionalProperties": false,
        })
    );
    assert!(
        kit.get("echo").is_none(),
        "the name is the one that was given"
    );
}

#[test]
fn two_tools_of_one_name_are_an_error() {
    let kit: Toolkit = toolkit![add];
    let error = kit.clone().with(named("add")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert!(
        error
            .to_string()
            .starts_with("two tools are named `add`, from "),
        "{error}"
    );
    assert_eq!(
        error.to_string().matches("toolkit.rs:").count(),
        2,
        "both places: {error}"
    );
    assert!(kit.clone().extend(toolkit![echo, add]).is_err());
    assert_eq!(names(&kit), ["add"], "the toolkit itself is unharmed");
}

#[test]
fn toolkits_are_joined_and_filtered() {
    let kit: Toolkit = toolkit![add]
        .extend(toolkit![echo])
        .unwrap()
        .with(named("c"))
        .unwrap();
    assert_eq!(names(&kit.clone().remove("echo-2")), ["add", "c"]);
    assert_eq!(names(&kit.clone().remove("nobody")), ["add", "echo-2", "c"]);
    assert_eq!(
        names(&kit.clone().filter(|tool| tool.name().len() == 3)),
        ["add"]
    );
    assert!(
        kit.remove("add").with(add {}).is_ok(),
        "a removed name is free"
    );
}

#[test]
fn tools_behind_pointers_are_tools() {
    let boxed: Box<dyn Tool> = Box::new(add {});
    let shared: Arc<dyn Tool> = Arc::new(echo {});
    let kit = Toolkit::new().with(boxed).unwrap().with(shared).unwrap();
    assert_eq!(names(&kit), ["add", "echo-2"]);
}

#[tokio::test]
async fn one_call_gives_its_result() {
    let kit: Toolkit = toolkit![add];
    let result = kit.call("add", json!({"a": 2, "b": 3})).await;
    assert_eq!(
        (result.text().as_str(), result.is_error(), result.name()),
        ("5", false, "add")
    );
    let result = kit.call("sub", json!({})).await;
    assert_eq!(
        result.text(),
        "Error: Tool 'sub' not found. Available tools: add"
    );
    assert!(result.is_error());
}

#[tokio::test]
async fn a_call_of_a_reply_keeps_its_id_and_its_text() {
    let schema = json!({"type": "object", "properties": {}});
    let raw = FunctionTool::from_schema("raw", "", schema, |input: Box<RawValue>| async move {
        input.get().to_owned()
    });
    let kit = Toolkit::new().with(raw.unwrap()).unwrap();
    let text = r#"{"n": 123456789012345678901234567890}"#;
    let call = ToolCall::new("toolu_7", "raw", RawJson::parse(text).unwrap());
    let result = kit.run(&call).await;
    assert_eq!((result.call_id(), result.name()), ("toolu_7", "raw"));
    assert_eq!(result.text(), text);
    let call = ToolCall::new("toolu_8", "war", RawJson::parse("{}").unwrap());
    let result = kit.run(&call).await;
    assert_eq!(
        (result.call_id(), result.text().as_str()),
        (
            "toolu_8",
            "Error: Tool 'war' not found. Available tools: raw"
        )
    );
}

#[test]
fn what_is_set_on_a_closure_is_in_its_definition() {
    let tool = named("full")
        .with_title("In full")
        .with_output_schema(json!({"type": "object"}))
        .destructive(true)
        .idempotent(false)
        .open_world(true)
        .exclusive(true)
        .approval(true)
        .with_timeout(Duration::from_secs(2));
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    let definition = kit.get("full").unwrap().definition();
    assert_eq!(definition.title(), Some("In full"));
    assert_eq!(definition.output_schema(), Some(&json!({"type": "object"})));
    let hints = definition.hints();
    assert_eq!((hints.read_only, hints.destructive), (None, Some(true)));
    assert_eq!(
        (hints.idempotent, hints.open_world),
        (Some(false), Some(true))
    );
    assert!(definition.is_exclusive() && definition.needs_approval());
    assert_eq!(definition.timeout(), Some(Duration::from_secs(2)));
}

#[tokio::test]
async fn a_closure_is_a_tool_by_its_argument_type() {
    #[argument]
    struct Sum {
        /// The first.
        a: i64,
        b: Option<i64>,
    }
    let sum = FunctionTool::new::<Sum, _>("sum", "Sums.", |sum: Sum| async move {
        sum.a + sum.b.unwrap_or(0)
    });
    let kit = Toolkit::new().with(sum.unwrap()).unwrap();
    assert_eq!(
        *kit.get("sum").unwrap().definition().input_schema(),
        json!({
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "The first."}, "b": {"type": "integer"}},
            "required": ["a"],
            "additionalProperties": false,
        })
    );
    assert_eq!(kit.call("sum", json!({"a": 2})).await.text(), "2");
    let result = kit.call("sum", json!({"a": "2", "c": 3})).await;
    assert_eq!(
        result.text(),
        "Error: Invalid input for tool 'sum': a: expected an integer, got the string \"2\"\n\
         c: unknown key; the keys are a, b"
    );
}

#[tokio::test]
async fn raw_input_is_the_models_text() {
    let schema = br#"{"type": "object", "properties": {"id": {"type": "integer"}}}"#;
    let raw = FunctionTool::from_json("raw", "", schema, |input: Box<RawValue>| async move {
        Ok::<_, ToolError>(input.get().to_owned())
    });
    let kit = Toolkit::new().with(raw.unwrap()).unwrap();
    assert_eq!(
        kit.call("raw", json!({"b": 1, "a": 2})).await.text(),
        r#"{"b":1,"a":2}"#
    );
    assert_eq!(
        kit.call("raw", Value::Null).await.text(),
        "{}",
        "nothing is the empty object"
    );
}

#[test]
fn a_schema_that_is_not_json_is_refused() {
    let error =
        FunctionTool::from_json("t", "", "{\"type\":", |_: Value| async { "ok" }).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("tool `t` has a schema that is not JSON: "),
        "{error}"
    );
}

#[test]
fn a_type_that_is_no_object_cannot_be_all_arguments() {
    let error =
        FunctionTool::new::<Vec<i64>, _>("t", "", |_: Vec<i64>| async { "ok" }).unwrap_err();
    assert!(
        error.to_string().contains("$.type: must be \"object\""),
        "{error}"
    );
}
