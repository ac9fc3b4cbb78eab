//! Tools that come and go in mid-run.

use haft::anthropic::tools::{
    COMPUTER_20251124, Computer, ComputerToolset, ComputerUse, MEMORY_20250818, MemoryCommand,
};
use haft::serde_json::{self, Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Message, Outcome, RawJson, Request, RunState, Runner, ToolDefinition, Toolkit, tool, toolkit,
};

use crate::case::{Calls, Case, Mode, assistant, call, done, go, user};
use crate::compaction::compaction;

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

/// The tools that the model knows: those of the list, and what the history tells.
fn offered(body: &Value) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    let mut known: Vec<_> = body["tools"].as_array().unwrap().iter().map(name).collect();
    for message in body["messages"].as_array().unwrap() {
        let blocks = message["content"].as_array().unwrap().iter();
        for block in blocks.filter(|_| message["role"] == "system") {
            let tool = &block["tool"];
            let changed = if block["type"] == "tool_addition" {
                name(&tool["definition"])
            } else {
                name(tool)
            };
            known.retain(|known| *known != changed);
            if block["type"] == "tool_addition" {
                known.push(changed);
            }
        }
    }
    known.sort();
    known
}

/// A run in which `b` was added and `now` removed, and which has ended.
async fn changed(mode: Mode, more: usize) -> Case {
    let mut replies = vec![mode.calls(), mode.says("Done.")];
    replies.extend((0..more).map(|_| mode.says("More.")));
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    let b = of(&case.calls, &["b"]);
    case.runner.add_tools(b).unwrap();
    case.runner.remove_tools(["now"]).unwrap();
    case.run().await.unwrap();
    assert_eq!(offered(&case.bodies()[1]), ["b"]);
    case
}

#[tokio::test]
async fn a_run_that_is_resumed_with_other_tools_tells_of_them() {
    let mode = Mode::Plain;
    let mut case = changed(mode, 2).await;
    let saved = json!(case.runner.state()).to_string();
    let state: RunState = serde_json::from_str(&saved).unwrap();
    let kit = of(&case.calls, &["c", "now"]);
    case.runner = Runner::resume(case.provider(), kit, state).unwrap();
    for _ in 0..2 {
        case.runner.append_messages([Message::user("Go on")]);
        case.run().await.unwrap();
    }
    assert_eq!(offered(&case.bodies()[2]), ["c", "now"]);
    let told = |body: &Value| {
        body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["role"] == "system")
            .count()
    };
    let tolds: Vec<_> = case.bodies().iter().map(told).collect();
    assert_eq!(tolds, [0, 1, 2, 2], "once");
}

#[tokio::test]
async fn a_history_that_is_edited_loses_no_tool() {
    let mut case = changed(Mode::Plain, 1).await;
    case.runner.request_mut().messages.clear();
    case.runner.append_messages([Message::user("Anew")]);
    case.run().await.unwrap();
    assert_eq!(offered(&case.bodies()[2]), ["b"]);
}

#[tokio::test]
async fn a_run_that_comes_back_to_its_api_tells_what_has_changed_meanwhile() {
    let mut case = changed(Mode::Plain, 1).await;
    case.runner.set_provider(ScriptedModel::new().text("Hello"));
    case.runner.remove_tools(["b"]).unwrap();
    let others = of(&case.calls, &["now", "c"]);
    case.runner.add_tools(others).unwrap();
    case.runner.append_messages([Message::user("And you?")]);
    case.runner.run_to_completion().await.unwrap();
    case.runner.set_provider(case.provider());
    case.runner.append_messages([Message::user("Go on")]);
    case.run().await.unwrap();
    assert_eq!(offered(&case.bodies()[2]), ["c", "now"]);
}

#[tokio::test]
async fn a_summary_that_tells_of_no_tools_loses_none() {
    for tells in [false, true] {
        let mut block = compaction();
        if tells {
            block["tool_changes"] = json!([added(&function("b")), removed("now")]);
        }
        let mode = Mode::Plain;
        let replies = vec![
            mode.calls(),
            mode.reply(&json!([block]), "compaction"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        let b = of(&case.calls, &["b"]);
        case.runner.add_tools(b).unwrap();
        case.runner.remove_tools(["now"]).unwrap();
        case.runner.compact_before_next_turn(None).unwrap();
        case.run().await.unwrap();
        let last = &case.bodies()[2];
        // Its own words say the rest.
        let expected = if tells { ["now"] } else { ["b"] };
        assert_eq!(offered(last), expected);
        let betas = case.betas(2).unwrap();
        assert_eq!(betas.contains("inline-tools"), tells, "{betas}");
    }
}

#[tokio::test]
async fn a_server_without_these_tools_is_told_nothing_of_them() {
    let mut case = changed(Mode::Plain, 1).await;
    let builder = |builder: haft::anthropic::Builder| builder.provider_tools(false);
    case = case.set(builder);
    case.runner.add_tools(toolkit![notes]).unwrap();
    case.runner.append_messages([Message::user("Go on")]);
    case.run().await.unwrap();
    let body = &case.bodies()[2];
    assert_eq!(offered(body), ["b", "notes"]);
    let roles: Vec<_> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["role"])
        .collect();
    assert!(!roles.contains(&&json!("system")), "{roles:?}");
    assert_eq!(case.betas(2), None);
}

#[tokio::test]
async fn a_call_whose_tool_is_removed_waits_for_nobody() {
    let mode = Mode::Plain;
    let calls = Calls::default();
    let kit = Toolkit::new()
        .with(calls.tool("now").approval(true))
        .unwrap();
    let mut case = Case::with_kit(mode, kit, vec![mode.calls(), mode.says("Done.")]).await;
    let outcome = case.run().await.unwrap().outcome;
    assert!(
        matches!(outcome, Outcome::AwaitingApproval { .. }),
        "{outcome:?}"
    );
    case.runner.remove_tools(["now"]).unwrap();
    assert_eq!(case.run().await.unwrap().outcome, Outcome::Completed);
    assert_eq!(calls.names(), Vec::<String>::new());
    let answer = &case.messages(1)[2]["content"][0]["content"][0]["text"];
    assert!(
        answer
            .as_str()
            .unwrap()
            .starts_with("Error: Tool 'now' not found"),
        "{answer}"
    );
}

#[tokio::test]
async fn what_the_history_defines_brings_its_betas() {
    let mode = Mode::Plain;
    let replies = vec![mode.calls(), mode.calls(), mode.says("Done.")];
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    let screen = COMPUTER_20251124.display(8, 8);
    let screen = ComputerUse::new(screen, Nothing).named("screen").unwrap();
    case.runner
        .add_tools(Toolkit::new().with(screen).unwrap())
        .unwrap();
    case.next().await.unwrap();
    case.runner.remove_tools(["screen"]).unwrap();
    case.run().await.unwrap();
    for request in [1, 2] {
        let betas = case.betas(request).unwrap();
        assert!(betas.contains("computer-use-2025-11-24"), "{betas}");
    }
    // And so do definitions of a body that was read.
    let body = json!({
        "model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Go"}],
        "tools": [{"type": "advisor_20260301", "name": "advisor", "model": "m"}],
    });
    let case = Case::with_kit(mode, Toolkit::new(), vec![mode.says("Done.")]).await;
    let request = Request::from_body(&case.provider(), body).unwrap();
    let mut runner = Runner::new(case.provider(), Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    assert_eq!(case.betas(0).unwrap(), "advisor-tool-2026-03-01");
}
