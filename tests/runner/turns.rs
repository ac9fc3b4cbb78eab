//! Turns: the last one, containers, ids, and what a call is told of its turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Api, CapPolicy, Content, ErrorKind, Message, ModelCall, Outcome, Provider, ReplyStream, Runner,
    StopReason, StreamExt, ToolCall, ToolChoice, ToolDefinition, ToolOutput, ToolResult, Toolkit,
    tool, toolkit,
};
use haft_tests::lines;
use haft_tests::over;
use haft_tests::told::{self, Told};

use crate::edits::own_answer;
use crate::tools::Curious;
use crate::{add, add_call, counter, counting, poll_once, request, results};

#[tokio::test]
async fn the_final_turn_has_the_same_tools_and_may_call_none() {
    let model = ScriptedModel::new()
        .calls(add_call())
        .text("5, so far.")
        .text("Done.");
    let choice = request().tool_choice(ToolChoice::Any);
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], choice)
        .max_iterations(1)
        .cap_policy(CapPolicy::FinalTurn);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(lines::end(&end), "end capped []");
    assert_eq!(end.reply.text(), "5, so far.");
    runner.set_max_iterations(0);
    runner.append_messages([Message::user("Go on")]);
    runner.run_to_completion().await.unwrap();
    let requests = model.requests();
    let choices: Vec<_> = requests
        .iter()
        .map(|request| request.tool_choice.clone())
        .collect();
    let (any, none) = (Some(ToolChoice::Any), Some(ToolChoice::None));
    assert_eq!(choices, [any.clone(), none, any], "and later as before");
}

// RN-16: 0 is no limit.
#[tokio::test]
async fn no_cap_is_none() {
    let model = (0..50).fold(ScriptedModel::new(), |model, _| model.calls(add_call()));
    let mut runner =
        Runner::new(over::model(model.text("Done.")), toolkit![add], request()).max_iterations(0);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(
        (end.outcome, runner.iteration_count()),
        (Outcome::Completed, 51)
    );
}

// RN-24.
#[tokio::test]
async fn an_edit_of_the_request_keeps_what_was_said() {
    let model = ScriptedModel::new().calls(add_call()).text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), toolkit![add], request());
    runner.next_message().await.unwrap();
    let request = runner.request_mut();
    request.max_tokens = Some(99);
    request.system.push(Content::text("Be brief."));
    runner.run_to_completion().await.unwrap();
    let sent = &model.requests()[1];
    assert_eq!((sent.max_tokens, sent.system.len()), (Some(99), 1));
    let lines = lines::history(&sent.messages);
    assert_eq!(
        lines[1..],
        [
            "assistant: call_1_1 add {\"a\":2,\"b\":3}",
            "user: call_1_1 = 5"
        ]
    );
}

/// A model of this API that writes down which container it is asked in.
#[derive(Debug)]
struct InContainer {
    model: ScriptedModel,
    api: Api,
    asked: Arc<Mutex<Vec<Option<String>>>>,
}

impl Provider for InContainer {
    fn api(&self) -> Api {
        self.api.clone()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let container = call.container().map(str::to_owned);
        self.asked.lock().unwrap().push(container);
        self.model.send(call)
    }
}

// T2, and RN-23 on the loop's side.
#[tokio::test]
async fn a_run_stays_in_its_container_as_long_as_the_provider_does() {
    let asked = Arc::default();
    let worked = |id: &str| {
        let [(name, input)] = add_call();
        ScriptedReply::new().call(name, input).container(id)
    };
    let model = ScriptedModel::new()
        .reply(worked("c1"))
        .calls(add_call())
        .reply(worked("c2"))
        .calls(add_call())
        .text("Done.");
    let of = |api| {
        let model = InContainer {
            model: model.clone(),
            api,
            asked: Arc::clone(&asked),
        };
        over::in_process(model, "it is of an API of its own")
    };
    let mut runner = Runner::new(of(Api::TESTING), toolkit![add], request());
    for _ in 0..4 {
        runner.next_message().await.unwrap();
    }
    runner.set_provider(of(Api::new("another")));
    runner.run_to_completion().await.unwrap();
    let asked = asked.lock().unwrap();
    let asked: Vec<_> = asked.iter().map(Option::as_deref).collect();
    assert_eq!(asked, [None, Some("c1"), Some("c1"), Some("c2"), None]);
}

#[tokio::test]
async fn ids_may_come_again_in_a_later_reply() {
    for eager in [false, true] {
        let (kit, runs) = counter();
        let calls = || vec![told::call("1", "count"), Content::text("And")];
        let model = Told::new([
            told::reply(calls(), StopReason::ToolUse),
            told::reply(calls(), StopReason::ToolUse),
            told::reply(vec![Content::text("Done.")], StopReason::EndTurn),
        ]);
        let mut runner = Runner::new(over::model(model), kit, request()).eager(eager);
        let events: Vec<_> = runner.all_streaming().collect().await;
        assert!(events.iter().all(Result::is_ok), "{events:?}");
        assert_eq!(runs.load(Ordering::SeqCst), 2);
        let lines = lines::history(&runner.messages());
        assert_eq!(
            [&lines[2], &lines[4]],
            ["user: 1 = counted", "user: 1 = counted"]
        );
    }
}

// RN-29.
#[tokio::test]
async fn ids_that_are_twice_in_one_reply_are_an_error_before_anything_runs() {
    let (kit, runs) = counter();
    let twice = vec![told::call("1", "count"), told::call("1", "count")];
    let end = told::reply(vec![Content::text("Done.")], StopReason::EndTurn);
    let model = Told::new([told::reply(twice, StopReason::ToolUse), end]);
    let model = over::not_over(
        &[Api::OPENAI_CHAT],
        model,
        "there, the second has another id",
    );
    let mut runner = Runner::new(model, kit, request());
    if over::api() == Some(Api::OPENAI_RESPONSES) {
        // There, too, but this script can be told: both are answered.
        runner.run_to_completion().await.unwrap();
        let messages = runner.messages();
        let ids: Vec<_> = messages[1].tool_calls().map(ToolCall::id).collect();
        let answered: Vec<_> = messages[2]
            .tool_results()
            .map(ToolResult::call_id)
            .collect();
        assert_ne!(ids[0], ids[1]);
        assert_eq!((runs.load(Ordering::SeqCst), answered), (2, ids));
        return;
    }
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(
        error
            .to_string()
            .starts_with("two calls of the reply have the same id"),
        "{error}"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    assert_eq!(runner.messages().len(), 1, "and the run can go on");
}

// RN-18.
#[tokio::test]
async fn a_tool_may_say_nothing() {
    /// Says nothing.
    #[tool]
    async fn silent() -> &'static str {
        ""
    }
    /// Has nothing to say.
    #[tool]
    async fn nothing() {}
    let model = ScriptedModel::new()
        .calls([("silent", json!({})), ("nothing", json!({}))])
        .text("Done.");
    Runner::new(
        over::model(model.clone()),
        toolkit![silent, nothing],
        request(),
    )
    .run_to_completion()
    .await
    .unwrap();
    let told = results(&model.requests()[1].messages[2]);
    assert_eq!(told, [(String::new(), false), (String::new(), false)]);
}

#[tokio::test]
async fn progress_that_nobody_follows_is_of_no_effect() {
    /// Tells how far it is.
    #[tool]
    async fn steps(call: &haft::CallContext) -> &'static str {
        call.progress("half");
        "all"
    }
    let model = ScriptedModel::new()
        .calls([("steps", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), toolkit![steps], request());
    runner.run_to_completion().await.unwrap();
    assert_eq!(results(&runner.messages()[2]), [("all".to_owned(), false)]);
}

#[tokio::test]
async fn a_call_before_the_last_block_of_a_cut_reply_is_whole() {
    for is_eager in [false, true] {
        let (kit, runs) = counter();
        let cut = ScriptedReply::new()
            .call("count", json!({}))
            .thinking("And then")
            .stop_reason(StopReason::MaxTokens);
        let model = ScriptedModel::new().reply(cut).text("Done.");
        let mut runner = Runner::new(over::model(model.clone()), kit, request()).eager(is_eager);
        let events: Vec<_> = runner.all_streaming().collect().await;
        let Some(Ok(haft::Event::End(end))) = events.last() else {
            panic!("{events:?}")
        };
        assert_eq!(end.outcome, Outcome::Truncated { incomplete: None });
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
        let told = match is_eager {
            true => ("counted".to_owned(), false),
            false => (
                "Error: Tool 'count' was not run: the reply was cut off".to_owned(),
                true,
            ),
        };
        assert_eq!(results(&model.requests()[1].messages[2]), [told]);
        assert_eq!(runs.load(Ordering::SeqCst), usize::from(is_eager));
    }
}

#[tokio::test]
async fn a_streamed_turn_sees_an_answer_that_was_put_into_the_history() {
    let schema = json!({"type": "object"});
    let person = ToolDefinition::new("person", "Asks.", schema).unwrap();
    let model = ScriptedModel::new()
        .calls([("person", json!({}))])
        .text("Done.");
    let mut runner = Runner::new(over::model(model), Toolkit::new(), request().tool(person));
    runner.run_to_completion().await.unwrap();
    let answer = own_answer(&runner);
    runner.request_mut().messages.push(answer);
    let turn = runner.next_streaming().await.unwrap();
    let reply = turn.expect("it goes on").into_reply().await.unwrap();
    assert_eq!(reply.unwrap().text(), "Done.");
}

/// A hook that never comes to an end with a result.
struct Brooding;

impl haft::Hook for Brooding {
    fn after_call<'a>(
        &'a self,
        _: haft::HookCall<'a>,
        _: &'a ToolResult,
    ) -> haft::HookFuture<'a, Option<ToolOutput>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_call_whose_result_waits_for_a_hook_is_not_pending() {
    let runs = Arc::new(AtomicUsize::new(0));
    let kit = Toolkit::new().with(counting("slow", &runs)).unwrap();
    let model = ScriptedModel::new().calls([("slow", json!({}))]);
    let mut runner = Runner::new(over::model(model), kit, request()).hook(Brooding);
    runner.next_message().await.unwrap();
    for _ in 0..5 {
        drop(poll_once(runner.run_calls()).await);
    }
    runner.set_max_iterations(1);
    let pending = Vec::new();
    assert_eq!(runner.outcome(), Some(Outcome::Capped { pending }));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_call_after_one_that_was_given_up_has_another_turn() {
    let schema = json!({"type": "object"});
    let definition = ToolDefinition::new("curious", "", schema).unwrap();
    let kit = Toolkit::new().with(Curious(definition)).unwrap();
    let call = || ScriptedReply::new().call("curious", json!({}));
    let model = ScriptedModel::new()
        .reply(call().text("So").set_aside().breaks())
        .reply(call())
        .text("Done.");
    let mut runner = Runner::new(over::model(model.clone()), kit, request()).eager(true);
    let events: Vec<_> = runner.all_streaming().collect().await;
    assert!(events.last().unwrap().is_err());
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.abandoned.len(), 1, "it had the first turn");
    let told = results(&model.requests()[2].messages[2]);
    assert_eq!(told, [("call_2_1 curious 2".to_owned(), false)]);
}

#[tokio::test]
async fn a_call_that_was_not_run_has_not_failed() {
    let (kit, runs) = counter();
    let cut = ScriptedReply::new()
        .call("count", json!({}))
        .call("count", json!({"n": 2}))
        .breaks();
    let model = ScriptedModel::new().reply(cut).text("Done.");
    let mut runner = Runner::new(over::model(model), kit, request())
        .eager(true)
        .stop_after_repeats(1);
    let events: Vec<_> = runner.all_streaming().collect().await;
    assert!(events.last().unwrap().is_err());
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}
