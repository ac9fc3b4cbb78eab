//! When the calls of a reply run: alone where their tool is exclusive, and after a word of the program where it needs
//! approval.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft::serde_json::{Value, json};
use haft::testing::ScriptedModel;
use haft::{
    Decision, ErrorKind, FunctionTool, Message, Outcome, Request, Runner, ToolCall, ToolDefinition,
    ToolOutput, Toolkit,
};
use haft_tests::over;

/// What tools did, in order: `+a` where `a` began, `-a` where it ended.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, entry: String) {
        self.0.lock().unwrap().push(entry);
    }

    fn entries(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    /// A tool that lets others run before it ends.
    fn tool(&self, name: &'static str) -> FunctionTool {
        let log = self.clone();
        let schema = json!({"type": "object", "properties": {}});
        FunctionTool::from_schema(name, "", schema, move |_: Value| {
            let log = log.clone();
            async move {
                log.write(format!("+{name}"));
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
                log.write(format!("-{name}"));
                name
            }
        })
        .unwrap()
    }
}

fn toolkit(tools: impl IntoIterator<Item = FunctionTool>) -> Toolkit {
    tools
        .into_iter()
        .fold(Toolkit::new(), |kit, tool| kit.with(tool).unwrap())
}

fn calls(names: &[&'static str]) -> ScriptedModel {
    let calls: Vec<_> = names.iter().map(|name| (*name, json!({}))).collect();
    ScriptedModel::new().calls(calls).text("Done.")
}

fn request() -> Request {
    Request::new("any").user("Go")
}

/// The results in the last message of the second request.
fn told(model: &ScriptedModel) -> Vec<String> {
    let requests = model.requests();
    let last: &Message = requests[1].messages.last().unwrap();
    last.tool_results().map(|result| result.text()).collect()
}

async fn waiting(runner: &mut Runner) -> Vec<ToolCall> {
    match runner.run_to_completion().await.unwrap().outcome {
        Outcome::AwaitingApproval { calls } => calls,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_exclusive_call_runs_alone_and_in_its_place() {
    let log = Log::default();
    let kit = toolkit([
        log.tool("a"),
        log.tool("b"),
        log.tool("x").exclusive(true),
        log.tool("c"),
        log.tool("d"),
    ]);
    let model = calls(&["a", "b", "x", "c", "d"]);
    Runner::new(over::model(model.clone()), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    let entries = log.entries();
    assert_eq!(entries[..2], ["+a", "+b"], "side by side");
    assert_eq!(entries[4..6], ["+x", "-x"], "alone: {entries:?}");
    assert_eq!(entries[6..8], ["+c", "+d"], "side by side");
    assert_eq!(told(&model), ["a", "b", "x", "c", "d"]);
}

#[tokio::test]
async fn two_exclusive_calls_run_one_after_the_other() {
    let log = Log::default();
    let kit = toolkit([log.tool("x").exclusive(true), log.tool("y").exclusive(true)]);
    let model = calls(&["y", "x"]);
    Runner::new(over::model(model), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(log.entries(), ["+y", "-y", "+x", "-x"]);
}

#[tokio::test(start_paused = true)]
async fn what_had_not_started_behind_an_exclusive_call_runs_when_the_run_goes_on() {
    let log = Log::default();
    let schema = json!({"type": "object", "properties": {}});
    let hang =
        FunctionTool::from_schema("hang", "", schema, |_: Value| std::future::pending::<()>());
    let kit = toolkit([log.tool("a"), hang.unwrap().exclusive(true), log.tool("b")]);
    let model = calls(&["a", "hang", "b"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    let dropped = tokio::time::timeout(Duration::from_secs(1), runner.run_to_completion()).await;
    assert!(dropped.is_err(), "the exclusive call hangs");
    assert_eq!(log.entries(), ["+a", "-a"]);
    tokio::time::timeout(Duration::from_secs(1), runner.run_to_completion())
        .await
        .expect("no call is run again")
        .unwrap();
    assert_eq!(log.entries(), ["+a", "-a", "+b", "-b"]);
    let interrupted = "Error: Tool 'hang' was interrupted; whether it took effect is unknown";
    assert_eq!(told(&model), ["a", interrupted, "b"]);
}

#[tokio::test]
async fn a_call_that_needs_approval_waits_while_the_others_run() {
    let log = Log::default();
    let kit = toolkit([log.tool("pay").approval(true), log.tool("look")]);
    let model = calls(&["pay", "look"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    let calls = waiting(&mut runner).await;
    assert_eq!((calls.len(), calls[0].name()), (1, "pay"));
    assert_eq!(log.entries(), ["+look", "-look"]);
    assert_eq!(
        waiting(&mut runner).await,
        calls,
        "going on changes nothing"
    );
    runner.decide("call_1_1", Decision::Allow).unwrap();
    assert_eq!(runner.outcome(), None, "it goes on");
    let again = runner.decide("call_1_1", Decision::Allow).unwrap_err();
    assert_eq!(again.kind(), ErrorKind::Request);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed);
    assert_eq!(log.entries(), ["+look", "-look", "+pay", "-pay"]);
    assert_eq!(told(&model), ["pay", "look"], "in the order of the calls");
}

#[tokio::test]
async fn a_denied_call_does_not_run() {
    let log = Log::default();
    let kit = toolkit([log.tool("pay").approval(true)]);
    let model = calls(&["pay"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    waiting(&mut runner).await;
    let deny = Decision::Deny("too much".to_owned());
    runner.decide("call_1_1", deny).unwrap();
    runner.run_to_completion().await.unwrap();
    assert_eq!(log.entries(), [""; 0]);
    assert_eq!(told(&model), ["Error: Tool 'pay' was denied: too much"]);
}

#[tokio::test]
async fn each_of_two_calls_is_decided_for_itself() {
    let log = Log::default();
    let kit = toolkit([
        log.tool("pay").approval(true),
        log.tool("send").approval(true),
    ]);
    let model = calls(&["pay", "send", "pay"]);
    let mut runner = Runner::new(over::model(model.clone()), kit, request());
    assert_eq!(waiting(&mut runner).await.len(), 3);
    runner.decide("call_1_3", Decision::Allow).unwrap();
    let left: Vec<_> = waiting(&mut runner).await;
    assert_eq!(log.entries(), ["+pay", "-pay"], "what is allowed runs");
    let ids: Vec<_> = left.iter().map(ToolCall::id).collect();
    assert_eq!(ids, ["call_1_1", "call_1_2"]);
    let (deny, answer) = (Decision::Deny("no".to_owned()), ToolOutput::text("sent"));
    runner.decide("call_1_1", deny).unwrap();
    runner.decide("call_1_2", Decision::Answer(answer)).unwrap();
    runner.run_to_completion().await.unwrap();
    assert_eq!(log.entries(), ["+pay", "-pay"]);
    assert_eq!(
        told(&model),
        ["Error: Tool 'pay' was denied: no", "sent", "pay"]
    );
}

#[tokio::test]
async fn an_approved_exclusive_call_still_runs_alone() {
    let log = Log::default();
    let kit = toolkit([
        log.tool("x").exclusive(true).approval(true),
        log.tool("a").approval(true),
    ]);
    let mut runner = Runner::new(over::model(calls(&["a", "x", "a"])), kit, request());
    for call in waiting(&mut runner).await {
        runner.decide(call.id(), Decision::Allow).unwrap();
    }
    runner.run_to_completion().await.unwrap();
    assert_eq!(log.entries(), ["+a", "-a", "+x", "-x", "+a", "-a"]);
}

#[tokio::test]
async fn a_call_without_a_handler_cannot_be_allowed() {
    let schema = json!({"type": "object", "properties": {}});
    let ask = ToolDefinition::new("ask", "", schema).unwrap();
    let model = calls(&["ask"]);
    let mut runner = Runner::new(
        over::model(model.clone()),
        Toolkit::new(),
        request().tool(ask),
    );
    waiting(&mut runner).await;
    let error = runner.decide("call_1_1", Decision::Allow).unwrap_err();
    assert_eq!(
        error.to_string(),
        "call `call_1_1` cannot be allowed: no tool of the toolkit runs `ask`; answer it by `Decision::Answer`, \
         or deny it"
    );
    let answer = Decision::Answer(ToolOutput::text("yes"));
    runner.decide("call_1_1", answer).unwrap();
    runner.run_to_completion().await.unwrap();
    assert_eq!(told(&model), ["yes"]);
}

#[tokio::test]
async fn a_toolkit_by_itself_does_not_ask() {
    let log = Log::default();
    let kit = toolkit([log.tool("pay").approval(true)]);
    assert_eq!(kit.call("pay", json!({})).await.text(), "pay");
}

/// Pay a bill.
#[haft::tool(approval)]
async fn pay_at_most(#[arg(max = 3)] amount: u8) -> String {
    format!("paid {amount}")
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_cannot_run() {
    let calls = [
        ("pay_at_most", json!({"amount": 9})),
        ("pay_at_most", json!({"amount": 3})),
    ];
    let model = ScriptedModel::new().calls(calls).text("Done.");
    let request = Request::new("any").user("Pay.");
    let mut runner = Runner::new(over::model(model), haft::toolkit![pay_at_most], request);
    let outcome = runner.run_to_completion().await.unwrap().outcome;
    let Outcome::AwaitingApproval { calls } = outcome else {
        panic!("{outcome:?}");
    };
    let [call] = calls.as_slice() else {
        panic!("{calls:?}");
    };
    runner.decide(call.id(), Decision::Allow).unwrap();
    runner.run_to_completion().await.unwrap();
    let messages = runner.messages();
    let results = messages.iter().flat_map(|message| message.tool_results());
    let told: Vec<_> = results.map(|result| result.text()).collect();
    assert_eq!(
        told,
        [
            "Error: Invalid input for tool 'pay_at_most': amount: must be at most 3, got 9",
            "paid 3"
        ]
    );
}
