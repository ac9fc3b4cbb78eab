//! The tools that OpenAI defines are called by their type, and run by the program's name for them.

use haft::openai::tools::{
    APPLY_PATCH, COMPUTER, CUSTOM, CommandOutput, ComputerAction, ComputerActions, FreeText,
    LOCAL_SHELL, LocalShellAction, Mcp, PatchOperation, SHELL, Screenshot, ShellCommands,
    ShellOutput, WebSearch,
};
use haft::serde_json::{Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{Content, Outcome, Request, Runner, ToolChoice, Toolkit, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, chat, of_kind, response, response_stream, responses, run, says};

/// Run commands.
#[tool(provider = SHELL)]
async fn run_commands(commands: ShellCommands) -> ShellOutput {
    let run = |command: &String| CommandOutput::exited(0, command.clone(), "");
    ShellOutput::new(commands.commands.iter().map(run))
}

/// Run a program.
#[tool(provider = LOCAL_SHELL)]
async fn run_program(action: LocalShellAction) -> String {
    let LocalShellAction::Exec { command, env, .. } = action else {
        return "another action".to_owned();
    };
    format!("{command:?} {env:?}")
}

/// Change a file.
#[tool(provider = APPLY_PATCH)]
async fn change(operation: PatchOperation) -> Result<String, String> {
    match operation {
        PatchOperation::DeleteFile { path } => Err(format!("{path} stays")),
        other => Ok(format!("changed {}", other.path())),
    }
}

/// The desktop.
#[tool(provider = COMPUTER)]
async fn desk(input: ComputerActions) -> Result<Screenshot, String> {
    if input.actions.contains(&ComputerAction::Wait) {
        return Err("it is off".to_owned());
    }
    Ok(Screenshot::png("iVBORw0KGgo=").acknowledging(input.pending_safety_checks))
}

/// Run a query.
#[tool(provider = CUSTOM)]
async fn query(sql: FreeText) -> String {
    format!("0 rows for {}", sql.input)
}

fn kit() -> Toolkit {
    toolkit![run_commands, run_program, change, desk, query]
}

fn calls() -> Vec<Value> {
    let patch = |id: &str, operation: Value| {
        json!({
            "type": "apply_patch_call", "id": format!("apc_{id}"), "call_id": id, "status": "completed",
            "operation": operation,
        })
    };
    vec![
        json!({
            "type": "shell_call", "id": "sh_1", "call_id": "c1", "status": "completed",
            "action": {"commands": ["ls", "pwd"], "timeout_ms": 1000, "max_output_length": 4096},
            "environment": {"type": "local"},
        }),
        json!({
            "type": "local_shell_call", "id": "lsh_1", "call_id": "c2", "status": "completed",
            "action": {"type": "exec", "command": ["ls"], "env": {"A": "b"}},
        }),
        patch(
            "c3",
            json!({"type": "update_file", "path": "a.txt", "diff": "@@\n-a\n+b\n"}),
        ),
        patch("c4", json!({"type": "delete_file", "path": "b.txt"})),
        json!({
            "type": "computer_call", "id": "cu_1", "call_id": "c5", "status": "completed",
            "actions": [{"type": "click", "button": "left", "x": 1, "y": 2}],
            "pending_safety_checks": [{"id": "sc_1", "code": "malicious", "message": "Look."}],
        }),
        json!({
            "type": "computer_call", "id": "cu_2", "call_id": "c6", "status": "completed",
            "action": {"type": "wait"}, "pending_safety_checks": [],
        }),
        json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "c7", "name": "query", "input": "select \"1\""}),
    ]
}

async fn answered(is_streamed: bool) -> Value {
    let whole = [calls(), vec![says("Done.")]];
    let replies = if is_streamed {
        vec![response_stream(&whole[0]), response_stream(&whole[1])]
    } else {
        whole
            .iter()
            .map(|items| ServerReply::json(200, &response(items)))
            .collect()
    };
    let server = Server::start(replies)
        .await
        .record_as("responses_own_tools");
    let request = Request::new("m").user("Go");
    let mut runner = Runner::new(responses(&server), kit(), request);
    run(&mut runner, is_streamed).await;
    assert_eq!(runner.outcome(), Some(Outcome::Completed));
    let names: Vec<_> = runner.messages()[1]
        .tool_calls()
        .map(|call| call.name().to_owned())
        .collect();
    let own = [
        "run_commands",
        "run_program",
        "change",
        "change",
        "desk",
        "desk",
        "query",
    ];
    assert_eq!(names, own);
    bodies(&server).remove(1)
}

#[tokio::test]
async fn calls_of_each_kind_are_answered_in_their_form() {
    for is_streamed in [false, true] {
        let body = answered(is_streamed).await;
        let input = body["input"].as_array().unwrap();
        assert_eq!(input[1..8], calls(), "they go back as they came");
        let outputs = &input[8..];
        assert_eq!(
            outputs[0],
            json!({
                "type": "shell_call_output", "call_id": "c1", "max_output_length": 4096,
                "output": [
                    {"stdout": "ls", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
                    {"stdout": "pwd", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}},
                ],
            })
        );
        assert_eq!(
            outputs[1],
            json!({"type": "local_shell_call_output", "id": "c2", "output": "[\"ls\"] {\"A\": \"b\"}"})
        );
        assert_eq!(
            outputs[2],
            json!({"type": "apply_patch_call_output", "call_id": "c3", "status": "completed", "output": "changed a.txt"})
        );
        assert_eq!(
            outputs[3],
            json!({
                "type": "apply_patch_call_output", "call_id": "c4", "status": "failed",
                "output": "Error: b.txt stays",
            })
        );
        assert_eq!(
            outputs[4],
            json!({
                "type": "computer_call_output", "call_id": "c5",
                "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,iVBORw0KGgo="},
                "acknowledged_safety_checks": [{"id": "sc_1", "code": "malicious", "message": "Look."}],
            })
        );
        assert_eq!(outputs[5]["call_id"], "c6");
        assert_eq!(outputs[5]["output"]["type"], "computer_screenshot");
        assert_eq!(
            outputs[6],
            json!({"type": "custom_tool_call_output", "call_id": "c7", "output": "0 rows for select \"1\""})
        );
        // A computer's answer has no place for words.
        let behind = &outputs[7];
        assert_eq!(behind["role"], "user");
        assert_eq!(behind["content"][0]["text"], "Error: it is off");
    }
}

#[tokio::test]
async fn at_another_api_they_are_functions_by_their_own_names() {
    let server = Server::start(vec![ServerReply::json(
        200,
        &crate::answers::completion(&json!({"role": "assistant", "content": "Done."})),
    )])
    .await
    .record_as("chat_own_tools");
    let provider = chat(&server, haft::openai::Server::OpenAi);
    let kit = kit().with(WebSearch::new()).unwrap();
    let mut runner = Runner::new(provider, kit, Request::new("m").user("Go"));
    run(&mut runner, false).await;
    let body = &bodies(&server)[0];
    let tools = body["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|it| it["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["run_commands", "run_program", "change", "desk", "query"]
    );
    let parameters = &tools[4]["function"]["parameters"];
    assert_eq!(parameters["required"], json!(["input"]));
}

/// A history in which another model has called them.
#[tokio::test]
async fn calls_of_another_api_are_written_as_their_own_kind() {
    let input = |at: usize, key: &str| calls()[at][key].clone();
    let script = ScriptedReply::new()
        .call("run_commands", input(0, "action"))
        .call("change", input(2, "operation"))
        .call("query", json!({"input": "select 2"}));
    let model = ScriptedModel::new().reply(script).text("Done.");
    let server = Server::start(vec![ServerReply::json(200, &response(&[says("Hi.")]))]).await;
    let server = server.record_as("responses_foreign_calls");
    let mut runner = Runner::new(model, kit(), Request::new("m").user("Go"));
    run(&mut runner, false).await;
    runner.append_messages([haft::Message::user("And now?")]);
    runner.set_provider(responses(&server));
    run(&mut runner, false).await;
    let body = &bodies(&server)[0];
    let shell = of_kind(body, "shell_call")[0];
    assert_eq!(shell["action"], input(0, "action"));
    assert_eq!(
        of_kind(body, "apply_patch_call")[0]["operation"],
        input(2, "operation")
    );
    let custom = of_kind(body, "custom_tool_call")[0];
    assert_eq!(
        (&custom["name"], &custom["input"]),
        (&json!("query"), &json!("select 2"))
    );
    for kind in ["shell_call", "apply_patch_call", "custom_tool_call"] {
        let call = of_kind(body, kind)[0];
        let output = of_kind(body, &format!("{kind}_output"));
        assert_eq!(output.len(), 1, "{kind}");
        assert_eq!(output[0]["call_id"], call["call_id"], "{kind}");
    }
}

#[tokio::test]
async fn a_choice_names_a_tool_as_the_api_does() {
    let search = WebSearch::new().named("search").unwrap();
    for (own, sent) in [
        ("run_commands", json!({"type": "shell"})),
        ("change", json!({"type": "apply_patch"})),
        ("desk", json!({"type": "computer"})),
        ("query", json!({"type": "custom", "name": "query"})),
        (
            "search",
            json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": "web_search"}]}),
        ),
        ("my_docs", json!({"type": "mcp", "server_label": "my docs"})),
    ] {
        let server = Server::start(vec![ServerReply::json(200, &response(&[says("Hi.")]))]).await;
        let server = server.record_as("responses_choices");
        let docs = Mcp::new("my docs", "https://example.com/mcp");
        let kit = kit().with(search.clone()).unwrap().with(docs).unwrap();
        let request = Request::new("m")
            .user("Go")
            .tool_choice(ToolChoice::Tool(own.to_owned()));
        run(&mut Runner::new(responses(&server), kit, request), false).await;
        assert_eq!(bodies(&server)[0]["tool_choice"], sent);
    }
    let server = Server::start(vec![]).await;
    let request = Request::new("m")
        .user("Go")
        .tool_choice(ToolChoice::Tool("run_program".to_owned()));
    let error = Runner::new(responses(&server), kit(), request)
        .run_to_completion()
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the tool choice names `run_program`"),
        "{error}"
    );
}

/// A shell that the API has run in a container of its own is no call for the program.
#[tokio::test]
async fn what_the_api_has_run_itself_is_not_run_again() {
    let call = |environment: Value| {
        json!({
            "type": "shell_call", "id": "sh_1", "call_id": "c1", "status": "completed",
            "action": {"commands": ["ls"]}, "environment": environment,
        })
    };
    let output = json!({"type": "shell_call_output", "id": "sho_1", "call_id": "c1", "output": []});
    for items in [
        vec![
            call(json!({"type": "container_reference", "container_id": "c"})),
            says("Hi."),
        ],
        vec![call(Value::Null), output, says("Hi.")],
    ] {
        let server = Server::start(vec![ServerReply::json(200, &response(&items))]).await;
        let mut runner = Runner::new(responses(&server), kit(), Request::new("m").user("Go"));
        let end = runner.run_to_completion().await.unwrap();
        assert_eq!(end.outcome, Outcome::Completed);
        assert_eq!(end.reply.tool_calls().count(), 0);
        assert_eq!(end.reply.text(), "Hi.");
    }
}

#[tokio::test]
async fn calls_that_openai_runs_are_known_by_the_names_of_the_program() {
    let search = json!({
        "type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"},
    });
    let mcp = json!({
        "type": "mcp_call", "id": "mcp_1", "server_label": "docs", "name": "find", "arguments": "{}", "output": "x",
    });
    let items = [search, mcp, says("Hi.")];
    let server = Server::start(vec![ServerReply::json(200, &response(&items))]).await;
    let docs = Mcp::new("docs", "https://example.com/mcp");
    let kit = Toolkit::new()
        .with(WebSearch::new().named("look_it_up").unwrap())
        .unwrap()
        .with(docs.named("handbook").unwrap())
        .unwrap();
    let mut runner = Runner::new(responses(&server), kit, Request::new("m").user("Go"));
    let end = runner.run_to_completion().await.unwrap();
    let tools: Vec<_> = end
        .reply
        .content()
        .iter()
        .filter_map(|block| match block {
            Content::Other(other) => other.tool.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(tools, ["look_it_up", "handbook"]);
}
