//! Tools that come and go in mid-run, and a history that gives way to a summary.

use haft::anthropic::tools::{Computer, ComputerToolset, MEMORY_20250818, MemoryCommand};
use haft::serde_json::{self, Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Message, Outcome, RawJson, Request, RunState, Runner, StopReason, ToolChoice, ToolDefinition,
    Toolkit, tool, toolkit,
};

use crate::case::{Calls, Case, Mode, assistant, call, done, go, text, user};

/// Notes.
#[tool(provider = MEMORY_20250818)]
fn notes(command: MemoryCommand) -> &'static str {
    drop(command);
    "done"
}

fn system(blocks: &Value) -> Value {
    json!({"role": "system", "content": blocks})
}

fn added(definition: &Value) -> Value {
    json!({"type": "tool_addition", "tool": {"type": "tool_definition", "definition": definition}})
}

fn removed(name: &str) -> Value {
    json!({"type": "tool_removal", "tool": {"type": "tool_reference", "name": name}})
}

fn function(name: &str) -> Value {
    json!({"name": name, "description": "Works.", "input_schema": {"type": "object"}})
}

fn of(calls: &Calls, names: &[&str]) -> Toolkit {
    names.iter().fold(Toolkit::new(), |kit, name| {
        kit.with(calls.tool(name)).unwrap()
    })
}

#[tokio::test]
async fn t_3_a_tool_that_is_added_runs_in_this_turn_and_is_told_behind_the_results() {
    for mode in Mode::ALL {
        let replies = vec![
            mode.reply(&json!([call("t1", "later")]), "tool_use"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        let later = of(&case.calls, &["later"]);
        case.runner.add_tools(later).unwrap();
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), ["later"], "{mode:?}");
        let [first, second] = case.bodies().try_into().unwrap();
        assert_eq!(first["tools"], json!([function("now")]));
        assert_eq!(second["tools"], first["tools"], "what is cached stays good");
        assert_eq!(
            second["messages"],
            json!([
                go(),
                assistant(&json!([call("t1", "later")])),
                user(&json!([done("t1")])),
                system(&json!([added(&function("later"))])),
            ])
        );
        let betas = case.betas(1).unwrap();
        assert_eq!(
            betas,
            "mid-conversation-tool-changes-2026-07-01,inline-tools-2026-09-15"
        );
        assert_eq!(case.betas(0), None);
    }
}

#[tokio::test]
async fn t_6_a_tool_that_was_removed_is_not_found() {
    for mode in Mode::ALL {
        let replies = vec![mode.calls(), mode.says("Done.")];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        case.runner.remove_tools(["now", "never"]).unwrap();
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), Vec::<String>::new());
        let messages = case.messages(1);
        assert_eq!(
            messages[2]["content"][0]["content"][0]["text"],
            "Error: Tool 'now' not found. Available tools: none"
        );
        assert_eq!(messages[3], system(&json!([removed("now")])));
        assert_eq!(case.bodies()[1]["tools"], json!([function("now")]));
    }
}

#[tokio::test]
async fn changes_are_told_once_in_order_and_by_wire_names() {
    for mode in Mode::ALL {
        let replies = vec![mode.calls(), mode.calls(), mode.says("Done.")];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        case.runner.add_tools(toolkit![notes]).unwrap();
        let other = of(&case.calls, &["other"]);
        case.runner.add_tools(other).unwrap();
        case.runner.remove_tools(["notes"]).unwrap();
        case.next().await.unwrap();
        case.run().await.unwrap();
        let memory = json!({"type": "memory_20250818", "name": "memory"});
        let told = system(&json!([
            added(&memory),
            added(&function("other")),
            removed("memory")
        ]));
        let messages = case.messages(2);
        assert_eq!(messages[3], told);
        assert_eq!(
            messages.iter().filter(|message| **message == told).count(),
            1
        );
        assert_eq!(messages.len(), 6);
    }
}

/// The list goes on to be sent as it was, and is the only place where a tool of the request is told.
#[tokio::test]
async fn a_tool_that_the_request_gets_later_is_sent() {
    let mode = Mode::Plain;
    let mut case = Case::start(mode, vec![mode.calls(), mode.calls(), mode.says("Done.")]).await;
    case.next().await.unwrap();
    let other = of(&case.calls, &["other"]);
    case.runner.add_tools(other).unwrap();
    case.next().await.unwrap();
    let asked = ToolDefinition::new("ask", "Ask.", json!({"type": "object"})).unwrap();
    let request = case.runner.request_mut();
    *request = request.clone().tool(asked);
    case.run().await.unwrap();
    let names = |body: &Value| {
        let tools = body["tools"].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].clone()).collect::<Vec<_>>()
    };
    let bodies = case.bodies();
    assert_eq!(names(&bodies[1]), ["now"]);
    assert_eq!(names(&bodies[2]), ["now", "ask"]);
}

#[tokio::test]
async fn before_the_first_reply_there_is_nothing_to_tell() {
    let mode = Mode::Plain;
    let mut case = Case::start(mode, vec![mode.says("Done.")]).await;
    let other = of(&case.calls, &["other"]);
    case.runner.add_tools(other).unwrap();
    case.runner.remove_tools(["now"]).unwrap();
    case.run().await.unwrap();
    let body = &case.bodies()[0];
    assert_eq!(body["tools"], json!([function("other")]));
    assert_eq!(body["messages"], json!([go()]));
}

#[tokio::test]
async fn a_pause_is_over_before_a_change_is_told() {
    for mode in Mode::ALL {
        let server =
            json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}});
        let replies = vec![
            mode.reply(&json!([server]), "pause_turn"),
            mode.calls(),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        case.runner.remove_tools(["now"]).unwrap();
        case.run().await.unwrap();
        assert_eq!(case.messages(1), [go(), assistant(&json!([server]))]);
        assert_eq!(case.messages(2)[4], system(&json!([removed("now")])));
    }
}

#[tokio::test]
async fn a_resumed_run_tells_what_it_was_yet_to_tell() {
    let mode = Mode::Plain;
    let replies = vec![mode.calls(), mode.calls(), mode.says("Done.")];
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    let other = of(&case.calls, &["other"]);
    case.runner.add_tools(other).unwrap();
    case.runner.remove_tools(["now"]).unwrap();
    let resumed = |case: &Case| {
        let saved = json!(case.runner.state()).to_string();
        let state: RunState = serde_json::from_str(&saved).unwrap();
        Runner::resume(case.provider(), of(&case.calls, &["other"]), state)
    };
    // The call of a tool that is gone is told so, and the run goes on.
    case.runner = resumed(&case).unwrap();
    case.next().await.unwrap();
    case.runner = resumed(&case).unwrap();
    case.run().await.unwrap();
    let [first, second, third] = case.bodies().try_into().unwrap();
    assert_eq!(
        second["messages"][3],
        system(&json!([added(&function("other")), removed("now")]))
    );
    assert_eq!(
        (&second["tools"], &third["tools"]),
        (&first["tools"], &first["tools"])
    );
    assert_eq!(third["messages"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn another_api_is_sent_another_list() {
    let model = ScriptedModel::new()
        .reply(ScriptedReply::new().call("notes", RawJson::empty_object()))
        .text("Done.");
    let mut runner = Runner::new(model, toolkit![notes], Request::new("m").user("Go"));
    runner.next_message().await.unwrap();
    let calls = Calls::default();
    runner.add_tools(of(&calls, &["other"])).unwrap();
    runner.remove_tools(["notes"]).unwrap();
    runner.run_to_completion().await.unwrap();
    assert_eq!(runner.messages().len(), 4, "nothing was told by a message");
    assert_eq!(
        runner.messages()[2].tool_results().next().unwrap().text(),
        "Error: Tool 'notes' not found. Available tools: other"
    );
}

struct Nothing;
impl Computer for Nothing {}

#[tokio::test]
async fn toolsets_and_names_that_are_taken_change_nothing() {
    let mode = Mode::Plain;
    let kit = toolkit![notes].with(ComputerToolset::new(Nothing)).unwrap();
    let mut case = Case::with_kit(mode, kit, vec![mode.says("1")]).await;
    let toolset = Toolkit::new().with(ComputerToolset::new(Nothing).named("desk").unwrap());
    let error = case.runner.add_tools(toolset.unwrap()).unwrap_err();
    assert!(error.to_string().contains("toolset `desk`"), "{error}");
    let error = case.runner.remove_tools(["notes", "computer"]).unwrap_err();
    assert!(error.to_string().contains("toolset `computer`"), "{error}");
    let memory = of(&Calls::default(), &["memory"]);
    let error = case.runner.add_tools(memory).unwrap_err();
    assert!(
        error.to_string().contains("`notes` and `memory`"),
        "{error}"
    );
    case.run().await.unwrap();
    assert_eq!(case.bodies()[0]["tools"].as_array().unwrap().len(), 2);
}

fn compaction() -> Value {
    json!({"type": "compaction", "content": "They said: go.", "encrypted_content": "e", "signature": "s"})
}

#[tokio::test]
async fn t_4_a_summary_takes_the_place_of_the_history() {
    for mode in Mode::ALL {
        let replies = vec![
            mode.calls(),
            mode.reply(&json!([compaction()]), "compaction"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        let request = case.runner.request_mut();
        *request = request
            .clone()
            .stop_sequences(["STOP"])
            .tool_choice(ToolChoice::Any)
            .output::<String>()
            .option(
                "context_management",
                json!({"edits": [{"type": "clear_tool_uses_20250919"}]}),
            )
            .option("output_config", json!({"effort": "low"}));
        case.runner.set_max_iterations(2);
        case.next().await.unwrap();
        case.runner
            .compact_before_next_turn(Some("Be short."))
            .unwrap();
        let summary = case.next().await.unwrap();
        assert_eq!(*summary.stop_reason(), StopReason::Compaction);
        assert_eq!(case.calls.names(), ["now"], "its calls were answered first");
        case.runner.append_messages([Message::user("Go on")]);
        let end = case.run().await.unwrap();
        assert_eq!(
            end.outcome,
            Outcome::Completed,
            "a compaction does not count"
        );

        let [first, second, third] = case.bodies().try_into().unwrap();
        assert_eq!(
            second["compaction"],
            json!({"type": "summarize", "instructions": "Be short."})
        );
        assert_eq!(second["messages"].as_array().unwrap().len(), 3);
        for key in ["stop_sequences", "tool_choice", "context_management"] {
            assert_eq!(second.get(key), None, "{key}");
            assert!(
                first.get(key).is_some() && first.get(key) == third.get(key),
                "{key}"
            );
        }
        assert_eq!(second["output_config"], json!({"effort": "low"}));
        assert!(third["output_config"]["format"].is_object());
        assert_eq!(third.get("compaction"), None);
        assert_eq!(
            third["messages"],
            json!([
                assistant(&json!([compaction()])),
                user(&json!([text("Go on")]))
            ])
        );
        assert_eq!(case.betas(1).unwrap(), "compact-2026-09-04");
        let after = case.betas(2).unwrap();
        assert!(
            after.contains("compact-2026-09-04"),
            "the block needs it: {after}"
        );
    }
}

#[tokio::test]
async fn without_a_summary_the_history_stays() {
    for mode in Mode::ALL {
        let empty = json!([{"type": "compaction", "content": null}]);
        let replies = vec![
            mode.calls(),
            mode.reply(&empty, "compaction"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        case.runner.compact_before_next_turn(None).unwrap();
        case.run().await.unwrap();
        let [_, second, third] = case.bodies().try_into().unwrap();
        assert_eq!(second["compaction"], json!({"type": "summarize"}));
        assert_eq!(third["messages"], second["messages"]);
    }
}

#[tokio::test]
async fn a_compaction_that_fails_is_told_and_over() {
    let mode = Mode::Plain;
    let failure =
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": "no"}});
    let replies = vec![
        mode.calls(),
        haft_tests::server::ServerReply::json(400, &failure),
        mode.says("Done."),
    ];
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    case.runner.compact_before_next_turn(None).unwrap();
    case.run().await.unwrap_err();
    case.run().await.unwrap();
    let [_, second, third] = case.bodies().try_into().unwrap();
    assert_eq!(third["messages"], second["messages"]);
    assert_eq!(third.get("compaction"), None);
    assert_eq!(case.calls.names(), ["now"], "it ran once");
}

#[tokio::test]
async fn what_would_compact_twice_is_refused() {
    let mode = Mode::Plain;
    let mut case = Case::start(mode, Vec::new()).await;
    let edits = json!({"edits": [{"type": "compact_20260112"}]});
    let request = case.runner.request_mut();
    *request = request.clone().option("context_management", edits);
    let error = case.runner.compact_before_next_turn(None).unwrap_err();
    assert!(error.to_string().contains("compact_20260112"), "{error}");
    let request = case.runner.request_mut();
    *request = request
        .clone()
        .option("compaction", json!({"type": "summarize"}));
    let error = case.run().await.unwrap_err();
    assert!(
        error.to_string().contains("compact_before_next_turn"),
        "{error}"
    );
    assert_eq!(case.bodies(), Vec::<Value>::new());

    let model = ScriptedModel::new().text("Hello");
    let mut runner = Runner::new(model, Toolkit::new(), Request::new("m").user("Go"));
    let error = runner.compact_before_next_turn(None).unwrap_err();
    assert!(error.to_string().contains("testing"), "{error}");
}
