//! What the model is told of what a tool returns, for every kind of result and error.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use haft::serde_json::value::RawValue;
use haft::serde_json::{Value, json};
use haft::{
    Call, Content, FunctionTool, Json, Tool, ToolCall, ToolDefinition, ToolError, ToolFuture,
    ToolOutput, ToolResult, Toolkit, tool, toolkit,
};

async fn call(kit: Toolkit) -> ToolResult {
    let name = kit.names().next().unwrap().to_owned();
    kit.call(&name, json!({})).await
}

/// Calls a tool that is declared here, and gives the text of its result and whether it is an error.
macro_rules! told {
    ($returns:ty, $body:expr) => {{
        /// A tool.
        #[tool]
        async fn it() -> $returns {
            $body
        }
        let result = call(toolkit![it]).await;
        (result.text(), result.is_error())
    }};
}

fn ok(text: &str) -> (String, bool) {
    (text.to_owned(), false)
}

fn error(text: &str) -> (String, bool) {
    (text.to_owned(), true)
}

#[derive(Debug)]
struct Outer(Inner);

#[derive(Debug)]
struct Inner;

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot read the file")
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such file")
    }
}

impl StdError for Outer {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.0)
    }
}

impl StdError for Inner {}

#[tokio::test]
async fn results_are_told_as_text() {
    assert_eq!(told!(String, "a".to_owned()), ok("a"));
    assert_eq!(told!(&'static str, "b"), ok("b"));
    assert_eq!(told!(u64, 7), ok("7"));
    assert_eq!(told!(f64, 0.5), ok("0.5"));
    assert_eq!(told!(bool, true), ok("true"));
    assert_eq!(
        told!(Value, json!({"b": [1], "a": null})),
        ok(r#"{"b":[1],"a":null}"#)
    );
    assert_eq!(told!(Json<Vec<u8>>, Json(vec![1, 2])), ok("[1,2]"));
    assert_eq!(told!(Option<u8>, Some(3)), ok("3"));
    assert_eq!(told!(Content, Content::text("c")), ok("c"));
}

#[tokio::test]
async fn nothing_is_told_as_a_result_without_content() {
    for told in [
        told!((), ()),
        told!(Option<u8>, None),
        told!(String, String::new()),
        told!(Result<(), ToolError>, Ok(())),
    ] {
        assert_eq!(told, ok(""));
    }
    let result = call(toolkit![nothing]).await;
    assert!(
        result.content().is_empty(),
        "no empty text block: {result:?}"
    );
}

/// Gives nothing.
#[tool]
async fn nothing() {}

#[tokio::test]
async fn a_structured_value_is_kept_beside_its_text() {
    /// A tool.
    #[tool]
    async fn it() -> Json<Vec<u8>> {
        Json(vec![1, 2])
    }
    assert_eq!(call(toolkit![it]).await.structured(), Some(&json!([1, 2])));
}

#[tokio::test]
async fn errors_are_told_with_their_sources() {
    assert_eq!(
        told!(Result<(), Outer>, Err(Outer(Inner))),
        error("Error: cannot read the file: no such file")
    );
    assert_eq!(
        told!(Result<(), String>, Err("plain words".to_owned())),
        error("Error: plain words")
    );
    assert_eq!(
        told!(Result<(), &'static str>, Err("static words")),
        error("Error: static words")
    );
    assert_eq!(
        told!(Result<(), ToolError>, Err(ToolError::new("own words"))),
        error("Error: own words")
    );
    fn boxed() -> Box<dyn StdError + Send + Sync> {
        Box::new(Outer(Inner))
    }
    let of_box = told!(Result<(), Box<dyn StdError + Send + Sync>>, Err(boxed()));
    assert_eq!(of_box, error("Error: cannot read the file: no such file"));
    let of_anyhow = told!(
        anyhow::Result<()>,
        Err(anyhow::Error::new(Outer(Inner)).context("while looking"))
    );
    assert_eq!(
        of_anyhow,
        error("Error: while looking: cannot read the file: no such file")
    );
}

#[tokio::test]
async fn an_error_result_is_never_empty() {
    let words = error("Error: Tool 'it' failed and gave no reason");
    assert_eq!(told!(Result<(), String>, Err(String::new())), words);
    assert_eq!(
        told!(Result<(), ToolError>, Err(ToolError::new(" \n"))),
        words
    );
    assert_eq!(told!(ToolOutput, ToolOutput::default().as_error()), words);
}

#[tokio::test]
async fn an_error_may_bring_more_than_words() {
    /// A tool.
    #[tool]
    async fn it() -> Result<String, ToolError> {
        Err(ToolError::new("see the screenshot")
            .with_content([Content::image("image/png", "iVBORw0KGgo=")]))
    }
    let result = call(toolkit![it]).await;
    assert!(result.is_error());
    let expected = [
        Content::text("Error: see the screenshot"),
        Content::image("image/png", "iVBORw0KGgo="),
    ];
    assert_eq!(result.content(), expected);
}

#[tokio::test]
async fn a_plain_function_is_a_tool_too() {
    /// Doubles.
    #[tool]
    fn double(n: i64) -> Result<i64, ToolError> {
        n.checked_mul(2).ok_or_else(|| ToolError::new("too large"))
    }
    let kit: Toolkit = toolkit![double];
    assert_eq!(kit.call("double", json!({"n": 4})).await.text(), "8");
    assert_eq!(
        kit.call("double", json!({"n": i64::MAX})).await.text(),
        "Error: too large"
    );
}

#[tokio::test]
async fn a_panic_is_told_with_its_words() {
    #[allow(unreachable_code, reason = "the tool only panics")]
    async fn told(kit: Toolkit) -> String {
        call(kit).await.text()
    }
    /// A tool.
    #[tool]
    async fn words() -> String {
        panic!("out of {}", "ink")
    }
    /// A tool.
    #[tool]
    fn value() -> String {
        std::panic::panic_any(7)
    }
    assert_eq!(
        told(toolkit![words]).await,
        "Error: Tool 'words' panicked: out of ink"
    );
    assert_eq!(told(toolkit![value]).await, "Error: Tool 'value' panicked");
}

/// Would run with whatever it is given.
struct Careless(ToolDefinition);

impl Tool for Careless {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
        Box::pin(async move { Ok(ToolOutput::text(format!("ran with {}", call.input()))) })
    }
}

#[tokio::test]
async fn a_malformed_call_reaches_no_handler() {
    let schema = || json!({"type": "object"});
    let raw = |input: Box<RawValue>| async move { format!("ran with {input}") };
    let value = |input: Value| async move { format!("ran with {input}") };
    let kit: Toolkit = Toolkit::new()
        .with(FunctionTool::from_schema("raw", "", schema(), raw).unwrap())
        .unwrap()
        .with(FunctionTool::from_schema("value", "", schema(), value).unwrap())
        .unwrap()
        .with(Careless(ToolDefinition::new("own", "", schema()).unwrap()))
        .unwrap();
    for name in ["raw", "value", "own"] {
        let told = async |text: &str| {
            let result = kit.run(&ToolCall::from_text("1", name, text)).await;
            (result.text(), result.is_error())
        };
        let refused = |why: &str| error(&format!("Error: Invalid input for tool '{name}': {why}"));
        let trailing = "not JSON: trailing comma, near `{\"a\":1,}`";
        assert_eq!(told(r#"{"a":1,}"#).await, refused(trailing));
        let cut = "a.b: not JSON: EOF while parsing a value, near `{\"a\":{\"b\":`";
        assert_eq!(told(r#"{"a":{"b":"#).await, refused(cut));
        let list = "expected an object, got an array";
        assert_eq!(told("[1]").await, refused(list));
        assert_eq!(told(r#"{"a":1}"#).await, ok(r#"ran with {"a":1}"#));
        for nothing in ["", " ", "null", "\"\"", "{}"] {
            let seen = if name == "own" { nothing } else { "{}" };
            assert_eq!(told(nothing).await, ok(&format!("ran with {seen}")));
        }
    }
}

#[tokio::test]
async fn names_of_tools_are_told_nearest_first() {
    /// A tool.
    #[tool]
    async fn zebra() {}
    /// A tool.
    #[tool]
    async fn search() {}
    let kit: Toolkit = toolkit![zebra, search];
    let result = kit.call("serch", json!({})).await;
    assert_eq!(
        result.text(),
        "Error: Tool 'serch' not found. Available tools: search, zebra"
    );
}

#[tokio::test]
async fn a_block_that_no_result_can_hold_is_refused() {
    let told = told!(
        Content,
        Content::ToolCall(ToolCall::new("x", "y", haft::RawJson::empty_object()))
    );
    assert_eq!(
        told,
        error("Error: Tool 'it' returned a call, which a result cannot hold")
    );
}

#[tokio::test]
async fn what_the_model_sent_is_repeated_in_part_and_on_one_line() {
    /// A tool.
    #[tool]
    async fn it(n: u8) -> u8 {
        n
    }
    let kit: Toolkit = toolkit![it];
    let long = "x".repeat(1_000_000);
    let text = kit
        .call("it", json!({"n": format!("a\nb{long}")}))
        .await
        .text();
    assert!(text.len() < 500 && !text.contains('\n'), "{text}");
    let text = kit.call(&long, json!({})).await.text();
    assert!(text.len() < 200, "{text}");
}

/// A tool that never ends, with a value that is dropped with its future.
fn endless<T: Clone + Send + Sync + 'static>(held: T) -> FunctionTool {
    let schema = json!({"type": "object", "properties": {}});
    FunctionTool::from_schema("endless", "", schema, move |_: Value| {
        let held = held.clone();
        async move {
            std::future::pending::<()>().await;
            drop(held);
        }
    })
    .unwrap()
}

async fn timed(timeout: Duration) -> (String, bool) {
    let tool = endless(()).with_timeout(timeout);
    let result = call(Toolkit::new().with(tool).unwrap()).await;
    (result.text(), result.is_error())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_told() {
    for (timeout, words) in [
        (Duration::from_secs(30), "30s"),
        (Duration::from_millis(1500), "1.5s"),
        (Duration::from_millis(100), "100ms"),
    ] {
        let begin = tokio::time::Instant::now();
        let text = format!("Error: Tool 'endless' timed out after {words}");
        assert_eq!(timed(timeout).await, error(&text));
        let took = begin.elapsed();
        assert!(took >= timeout && took < timeout * 2, "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_call_held_is_dropped_when_its_time_is_over() {
    let held = Arc::new(());
    let tool = endless(Arc::clone(&held)).with_timeout(Duration::from_secs(1));
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    let result = kit.call("endless", json!({})).await;
    assert!(result.is_error());
    assert_eq!(Arc::strong_count(&held), 2, "the test's and the tool's own");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_in_time_gives_its_result() {
    let schema = json!({"type": "object", "properties": {}});
    let tool = FunctionTool::from_schema("slow", "", schema, |_: Value| async {
        tokio::time::sleep(Duration::from_secs(29)).await;
        "done"
    });
    let tool = tool.unwrap().with_timeout(Duration::from_secs(30));
    let result = call(Toolkit::new().with(tool).unwrap()).await;
    assert_eq!((result.text(), result.is_error()), ok("done"));
}

/// A tool with a timeout that is over at once.
fn hasty() -> Toolkit {
    let schema = json!({"type": "object", "properties": {}});
    let tool = FunctionTool::from_schema("hasty", "", schema, |_: Value| async { "done" });
    let tool = tool.unwrap().with_timeout(Duration::from_millis(1));
    Toolkit::new().with(tool).unwrap()
}

#[test]
fn without_a_timer_a_call_runs_without_its_limit() {
    let waker = std::task::Waker::noop();
    let mut future = std::pin::pin!(call(hasty()));
    let polled = future
        .as_mut()
        .poll(&mut std::task::Context::from_waker(waker));
    let std::task::Poll::Ready(result) = polled else {
        panic!("it waits for a timer")
    };
    assert_eq!(result.text(), "done", "outside of a runtime");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let result = runtime.block_on(call(hasty()));
    assert_eq!(result.text(), "done", "in a runtime without timers");
}
