//! Each command of the tools that the program runs: read in full, without what may be left out, and without what may
//! not.

use haft::openai::tools::{
    APPLY_PATCH, COMPUTER, CUSTOM, ComputerActions, FreeText, LOCAL_SHELL, LocalShellAction,
    PatchOperation, SHELL, ShellCommands,
};
use haft::serde_json::{Map, Value, json};
use haft::{Json, Request, Runner, Toolkit, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, of_kind, response, responses, run, says};

/// A shell.
#[tool(provider = SHELL)]
fn shell(input: ShellCommands) -> Json<ShellCommands> {
    Json(input)
}

/// A shell of old.
#[tool(provider = LOCAL_SHELL)]
fn local_shell(input: LocalShellAction) -> Json<LocalShellAction> {
    Json(input)
}

/// Files.
#[tool(provider = APPLY_PATCH)]
fn patch(input: PatchOperation) -> Json<PatchOperation> {
    Json(input)
}

/// A display.
#[tool(provider = COMPUTER)]
fn computer(input: ComputerActions) -> Json<ComputerActions> {
    Json(input)
}

/// A text.
#[tool(provider = CUSTOM)]
fn custom(input: FreeText) -> Json<FreeText> {
    Json(input)
}

fn kit() -> Toolkit {
    toolkit![shell, local_shell, patch, computer, custom]
}

/// A tool, an input with all of its keys, and those of them that may be left out.
type Row = (&'static str, Value, &'static [&'static str]);

fn rows() -> Vec<Row> {
    vec![
        (
            "shell",
            json!({"commands": ["ls"], "timeout_ms": 1, "max_output_length": 2}),
            &["timeout_ms", "max_output_length"],
        ),
        (
            "local_shell",
            json!({
                "type": "exec", "command": ["ls"], "env": {"A": "b"}, "timeout_ms": 1, "user": "u", "working_directory": "/",
            }),
            &["timeout_ms", "user", "working_directory"],
        ),
        (
            "patch",
            json!({"type": "create_file", "path": "a", "diff": "+a"}),
            &[],
        ),
        (
            "patch",
            json!({"type": "update_file", "path": "a", "diff": "@@"}),
            &[],
        ),
        ("patch", json!({"type": "delete_file", "path": "a"}), &[]),
        ("custom", json!({"input": "select 1"}), &[]),
        (
            "computer",
            json!({
                "actions": [
                    {"type": "click", "button": "wheel", "x": 1, "y": 2, "keys": ["CTRL"]},
                    {"type": "double_click", "x": 1, "y": 2},
                    {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
                    {"type": "keypress", "keys": ["ENTER"]},
                    {"type": "move", "x": 1, "y": 2},
                    {"type": "screenshot"},
                    {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -3},
                    {"type": "type", "text": "a"},
                    {"type": "wait"},
                ],
                "pending_safety_checks": [{"id": "sc_1", "code": "c", "message": "m"}],
            }),
            &["pending_safety_checks"],
        ),
    ]
}

fn without(input: &Value, key: &str) -> Value {
    let fields = input.as_object().unwrap().clone();
    let kept: Map<_, _> = fields.into_iter().filter(|(name, _)| name != key).collect();
    Value::Object(kept)
}

/// List files.
#[tool(provider = SHELL)]
async fn list(commands: ShellCommands) -> String {
    commands.commands.join(" and ")
}

/// The API wants an entry for each command, and no field that is not its own.
#[tokio::test]
async fn a_text_answers_all_commands_of_a_call() {
    let call = json!({
        "type": "shell_call", "id": "sh_1", "call_id": "c1", "status": "completed",
        "action": {"commands": ["ls", "pwd"]},
    });
    let replies = [call, says("Done.")].map(|item| ServerReply::json(200, &response(&[item])));
    let server = Server::start(replies.to_vec()).await;
    let server = server.record_as("responses_shell_text");
    let kit: Toolkit = toolkit![list];
    let request = Request::new("m").user("Go");
    run(&mut Runner::new(responses(&server), kit, request), false).await;
    let outcome = json!({"type": "exit", "exit_code": 0});
    let entry = |stdout: &str| json!({"stdout": stdout, "stderr": "", "outcome": outcome});
    assert_eq!(
        of_kind(&bodies(&server)[1], "shell_call_output"),
        [
            &json!({"type": "shell_call_output", "call_id": "c1", "output": [entry("ls and pwd"), entry("")]})
        ]
    );
}

#[tokio::test]
async fn every_input_goes_round() {
    let kit = kit();
    for (tool, full, optional) in rows() {
        let result = kit.call(tool, full.clone()).await;
        assert_eq!(
            result.structured(),
            Some(&full),
            "{tool}: {}",
            result.text()
        );
        for key in full.as_object().unwrap().keys() {
            let less = without(&full, key);
            let result = kit.call(tool, less.clone()).await;
            if optional.contains(&key.as_str()) {
                assert_eq!(result.structured(), Some(&less), "{tool} without {key}");
                let mut null = full.clone();
                null[key] = Value::Null;
                if tool != "computer" {
                    let result = kit.call(tool, null).await;
                    assert_eq!(result.structured(), Some(&less), "{tool} with {key} null");
                }
            } else if !(tool == "local_shell" && key == "env") {
                assert!(result.is_error(), "{tool} without {key}");
                assert!(result.text().contains(key.as_str()), "{}", result.text());
            }
        }
    }
}
