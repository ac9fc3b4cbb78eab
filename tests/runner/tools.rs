//! Tools as a run sees them, and the models of tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft::serde_json::{Value, json};
use haft::testing::{ScriptedModel, ScriptedReply, TestModel};
use haft::{
    Content, Decision, ErrorKind, FunctionTool, Outcome, Runner, ToolChoice, ToolDefinition,
    ToolOutput, Toolkit, toolkit,
};
use haft_tests::over;

use crate::{add, counter, counting, fail, request, results};

#[tokio::test]
async fn a_denied_call_is_told_with_the_reason() {
    let delete = ToolDefinition::new(
        "delete",
        "Deletes.",
        json!({"type": "object", "properties": {}}),
    )
    .unwrap();
    let model = ScriptedModel::new()
        .calls([("delete", json!({}))])
        .text("Fine.");
    let mut runner = Runner::new(
        over::model(model.clone()),
        Toolkit::new(),
        request().tool(delete),
    );
    runner.run_to_completion().await.unwrap();
    runner
        .decide("call_1_1", Decision::Deny("not on Fridays".into()))
        .unwrap();
    runner.run_to_completion().await.unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(
        told,
        [(
            "Error: Tool 'delete' was denied: not on Fridays".to_owned(),
            true
        )]
    );
}

/// A tool that tells what it knows of its call.
pub(crate) struct Curious(pub(crate) ToolDefinition);

impl<S> haft::Tool<S> for Curious {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: haft::Call<'a, S>) -> haft::ToolFuture<'a> {
        let context = call.context();
        let told = format!(
            "{} {} {}",
            context.call_id(),
            context.tool_name(),
            context.turn()
        );
        Box::pin(async move { Ok(ToolOutput::text(told)) })
    }
}

#[tokio::test]
async fn a_tool_knows_its_call() {
    let schema = json!({"type": "object", "properties": {}});
    let kit = Toolkit::new()
        .with(Curious(ToolDefinition::new("curious", "", schema).unwrap()))
        .unwrap();
    let model = ScriptedModel::new()
        .calls([("curious", json!({}))])
        .calls([("curious", json!({}))])
        .text("Done.");
    Runner::new(over::model(model.clone()), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    let told: Vec<_> = model.requests()[2]
        .messages
        .iter()
        .flat_map(results)
        .map(|(text, _)| text)
        .collect();
    assert_eq!(told, ["call_1_1 curious 1", "call_2_1 curious 2"]);
}

#[tokio::test]
async fn at_most_fifty_names_are_told() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = (0..60).fold(Toolkit::new(), |kit, n| {
        kit.with(counting(&format!("tool_{n}"), &runs)).unwrap()
    });
    let text = kit.call("tool_x", json!({})).await.text();
    assert_eq!(
        text.matches("tool_").count(),
        51,
        "the one that was meant, and fifty: {text}"
    );
}

#[tokio::test]
async fn a_tool_without_a_handler_suspends_the_run_until_it_is_answered() {
    let (kit, runs) = counter();
    let ask_person = ToolDefinition::new(
        "ask_person",
        "Asks.",
        json!({"type": "object", "properties": {}}),
    )
    .unwrap();
    let model = ScriptedModel::new()
        .calls([("ask_person", json!({})), ("count", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit, request().tool(ask_person));
    let end = runner.run_to_completion().await.unwrap();
    let Outcome::AwaitingApproval { calls } = end.outcome else {
        panic!("{:?}", end.outcome)
    };
    assert_eq!(
        (calls[0].id(), runs.load(Ordering::SeqCst)),
        ("call_1_1", 1),
        "the other call has run"
    );
    assert!(
        runner
            .decide("call_1_2", Decision::Deny("no".into()))
            .is_err(),
        "it does not wait"
    );
    runner
        .decide("call_1_1", Decision::Answer(ToolOutput::text("Yes.")))
        .unwrap();
    assert_eq!(
        runner.run_to_completion().await.unwrap().reply.text(),
        "Done."
    );
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(
        told,
        [("Yes.".to_owned(), false), ("counted".to_owned(), false)]
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn two_tools_of_one_name_are_an_error_before_anything_is_sent() {
    let twin = ToolDefinition::new("add", "Adds, too.", json!({"type": "object"})).unwrap();
    let model = ScriptedModel::new().text("Hi");
    let error = Runner::new(
        over::model(model.clone()),
        toolkit![add],
        request().tool(twin),
    )
    .run_to_completion()
    .await
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Definition);
    assert!(error.to_string().contains("`add`"), "{error}");
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn usage_is_summed_over_the_replies() {
    let usage = |input, output| {
        let mut usage = haft::Usage::default();
        (usage.input, usage.output) = (input, output);
        usage
    };
    let first = ScriptedReply::new()
        .call("add", json!({"a": 1, "b": 1}))
        .usage(usage(10, 5));
    let model = ScriptedModel::new()
        .reply(first)
        .reply(ScriptedReply::new().text("2").usage(usage(20, 1)));
    let end = Runner::new(over::model(model), toolkit![add], request())
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!((end.usage.input, end.usage.output), (30, 6));
}

#[tokio::test]
async fn a_script_that_is_too_short_says_so() {
    let error = Runner::new(over::model(ScriptedModel::new()), Toolkit::new(), request())
        .run_to_completion()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Script);
    assert!(error.to_string().contains("request 1"), "{error}");
}

#[tokio::test]
async fn the_test_model_calls_every_tool_once() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = toolkit![add, fail].with(counting("count", &runs)).unwrap();
    let mut runner = Runner::new(
        TestModel::new(),
        kit,
        request().tool_choice(ToolChoice::Auto),
    );
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (runner.iteration_count(), runs.load(Ordering::SeqCst)),
        (2, 1)
    );
    assert!(
        end.reply.text().contains("called add and was told: 0"),
        "{}",
        end.reply.text()
    );
    assert!(
        end.reply
            .text()
            .contains("called fail and was told: Error: no luck"),
        "{}",
        end.reply.text()
    );
}

#[tokio::test]
async fn content_of_every_kind_reaches_the_history() {
    let schema = json!({"type": "object", "properties": {}});
    let photo = FunctionTool::from_schema("photo", "Takes a photo.", schema, |_: Value| async {
        vec![
            Content::text("Here:"),
            Content::image("image/png", "iVBORw0KGgo="),
        ]
    });
    let kit = Toolkit::new().with(photo.unwrap()).unwrap();
    let model = ScriptedModel::new()
        .calls([("photo", json!({}))])
        .text("Nice.");
    Runner::new(over::model(model.clone()), kit, request())
        .run_to_completion()
        .await
        .unwrap();
    let requests = model.requests();
    let result = requests[1].messages[2].tool_results().next().unwrap();
    assert_eq!(
        result.content(),
        [
            Content::text("Here:"),
            Content::image("image/png", "iVBORw0KGgo=")
        ]
    );
}
