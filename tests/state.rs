//! What a tool takes by reference: the toolkit's state, and the context of the call.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{CallContext, Provide, Request, Runner, State, Toolkit, tool, toolkit};
use haft_tests::over;

/// A count that the program keeps.
#[derive(Default)]
struct Counter(AtomicUsize);

struct Name(&'static str);

trait Store: Send + Sync {
    fn load(&self, key: &str) -> String;
}

struct Echo;

impl Store for Echo {
    fn load(&self, key: &str) -> String {
        format!("<{key}>")
    }
}

#[derive(State)]
struct App {
    counter: Counter,
    name: Name,
    #[state(skip)]
    store: Box<dyn Store>,
}

impl Provide<dyn Store> for App {
    fn provide(&self) -> &(dyn Store + 'static) {
        &*self.store
    }
}

fn app() -> App {
    App {
        counter: Counter::default(),
        name: Name("haft"),
        store: Box::new(Echo),
    }
}

/// Count.
#[tool]
async fn count(counter: &Counter, by: Option<usize>) -> usize {
    let by = by.unwrap_or(1);
    counter.0.fetch_add(by, Ordering::SeqCst) + by
}

/// Say where a call stands.
#[tool]
fn place(context: &CallContext) -> String {
    format!(
        "{} {} {}",
        context.tool_name(),
        context.call_id(),
        context.turn()
    )
}

/// Take all there is, in any order.
#[tool]
#[allow(clippy::needless_lifetimes, reason = "a lifetime may be written")]
async fn all<'a>(
    key: String,
    Name(name): &'a Name,
    context: &'_ CallContext,
    store: &dyn Store,
    _: &Counter,
    again: Option<bool>,
) -> String {
    format!(
        "{name} {} {} {again:?}",
        context.call_id(),
        store.load(&key)
    )
}

#[tokio::test]
async fn state_and_context_are_not_in_the_schema() {
    let kit: Toolkit = toolkit![all].with_state(app());
    let schema = kit.get("all").unwrap().definition().input_schema().clone();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["key", "again"]);
    assert_eq!(
        kit.call("all", json!({"key": "k"})).await.text(),
        "haft call_1 <k> None"
    );
    let told = kit
        .call("all", json!({"key": "k", "name": "x"}))
        .await
        .text();
    assert!(told.contains("name: unknown key"), "{told}");
}

#[tokio::test]
async fn a_state_of_one_part_provides_itself() {
    let kit: Toolkit = toolkit![count].with_state(Counter::default());
    assert_eq!(kit.call("count", json!({})).await.text(), "1");
    assert_eq!(
        kit.call("count", json!({"by": 5})).await.text(),
        "6",
        "the state is one for all calls"
    );
}

#[tokio::test]
async fn a_state_may_be_shared_with_the_program() {
    let counter = Arc::new(Counter::default());
    let kit: Toolkit = toolkit![count].with_shared_state(Arc::clone(&counter));
    kit.call("count", json!({"by": 3})).await;
    assert_eq!(counter.0.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn toolkits_of_different_states_are_joined_after_binding() {
    /// Greet.
    #[tool]
    async fn greet(name: &Name) -> String {
        format!("Hello, {}", name.0)
    }
    let counting: Toolkit = toolkit![count].with_state(Counter::default());
    let kit = counting
        .extend(toolkit![greet].with_state(Name("Ada")))
        .unwrap();
    let kit = kit.extend(toolkit![place]).unwrap();
    assert_eq!(kit.names().collect::<Vec<_>>(), ["count", "greet", "place"]);
    assert_eq!(kit.call("greet", json!({})).await.text(), "Hello, Ada");
    assert_eq!(kit.call("count", json!({})).await.text(), "1");
}

#[tokio::test]
async fn the_context_is_that_of_the_call() {
    let model = ScriptedModel::new()
        .calls([("place", json!({}))])
        .calls([("place", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(
        over::model(model),
        toolkit![place],
        Request::new("any").user("Go"),
    );
    let mut told = Vec::new();
    while runner.next_message().await.unwrap().is_some() {
        told.extend(
            runner
                .run_calls()
                .await
                .unwrap()
                .iter()
                .map(|result| result.text()),
        );
    }
    assert_eq!(told, ["place call_1_1 1", "place call_2_1 2"]);
}

#[tokio::test]
async fn the_function_is_called_as_any_other() {
    assert_eq!(place(&CallContext::for_test()), "test call_1 1");
    assert_eq!(count(&Counter::default(), None).await, 1);
}

#[tokio::test]
async fn a_toolkit_without_state_can_be_bound_to_any() {
    let kit: Toolkit = toolkit![place].with_state(app());
    assert!(!kit.call("place", json!({})).await.is_error());
}

#[tokio::test]
async fn what_is_not_compiled_is_not_asked_for() {
    /// Take what there is.
    #[tool]
    async fn some(
        #[cfg(not(test))] missing: &NoSuchType,
        #[cfg(test)] name: &Name,
        #[cfg(not(test))] never: NoSuchType,
        key: String,
    ) -> String {
        format!("{} {key}", name.0)
    }
    let kit: Toolkit = toolkit![some].with_state(Name("Ada"));
    assert_eq!(kit.call("some", json!({"key": "k"})).await.text(), "Ada k");
}
