//! Each command of the tools that the program runs: read in full, without what may be left out, and without what may
//! not.

use haft::anthropic::tools::{
    BASH_20250124, BashCommand, COMPUTER_20241022, COMPUTER_20250124, COMPUTER_20251124,
    ComputerAction20241022, ComputerAction20250124, ComputerAction20251124, MEMORY_20250818,
    MemoryCommand, TEXT_EDITOR_20250124, TEXT_EDITOR_20250728, TextEditorCommand,
    UndoableEditorCommand,
};
use haft::serde_json::{Map, Value, json};
use haft::{Json, Toolkit, tool, toolkit};

/// Notes.
#[tool(provider = MEMORY_20250818)]
fn memory(command: MemoryCommand) -> Json<MemoryCommand> {
    Json(command)
}

/// A shell.
#[tool(provider = BASH_20250124)]
fn bash(command: BashCommand) -> Json<BashCommand> {
    Json(command)
}

/// Files.
#[tool(provider = TEXT_EDITOR_20250728)]
fn editor(command: TextEditorCommand) -> Json<TextEditorCommand> {
    Json(command)
}

/// Files, with undo.
#[tool(provider = TEXT_EDITOR_20250124)]
fn old_editor(command: UndoableEditorCommand) -> Json<UndoableEditorCommand> {
    Json(command)
}

/// A display.
#[tool(provider = COMPUTER_20241022.display(1024, 768))]
fn computer_2024(action: ComputerAction20241022) -> Json<ComputerAction20241022> {
    Json(action)
}

/// A display.
#[tool(provider = COMPUTER_20250124.display(1024, 768))]
fn computer_2025(action: ComputerAction20250124) -> Json<ComputerAction20250124> {
    Json(action)
}

/// A display.
#[tool(provider = COMPUTER_20251124.display(1024, 768).with_zoom())]
fn computer(action: ComputerAction20251124) -> Json<ComputerAction20251124> {
    Json(action)
}

fn kit() -> Toolkit {
    toolkit![
        memory,
        bash,
        editor,
        old_editor,
        computer_2024,
        computer_2025,
        computer
    ]
}

/// A command with all of its keys, and those of them that may be left out.
pub(crate) type Row = (Value, &'static [&'static str]);

/// The keys of an input without one.
fn without(input: &Value, key: &str) -> Value {
    let fields = input.as_object().unwrap().clone();
    let kept: Map<_, _> = fields.into_iter().filter(|(name, _)| name != key).collect();
    Value::Object(kept)
}

/// Looks at each row: `call` gives what a handler has read, written again, or what the model is told.
pub(crate) async fn check(rows: &[Row], call: impl AsyncFn(Value) -> Result<Value, String>) {
    for (full, optional) in rows {
        assert_eq!(call(full.clone()).await.as_ref(), Ok(full), "it goes round");
        for key in full.as_object().unwrap().keys() {
            let lacking = without(full, key);
            let mut null = full.clone();
            null[key] = Value::Null;
            if optional.contains(&key.as_str()) {
                assert_eq!(
                    call(lacking.clone()).await.as_ref(),
                    Ok(&lacking),
                    "without {key}"
                );
                assert_eq!(call(null).await, Ok(lacking), "{key} is null");
            } else {
                let told = call(lacking).await.unwrap_err();
                assert!(told.contains(key), "without {key}: {told}");
                let told = call(null).await.unwrap_err();
                assert!(told.contains(key), "{key} is null: {told}");
            }
        }
        let mut more = full.clone();
        more["unknown_key"] = json!(1);
        let told = call(more).await.unwrap_err();
        assert!(told.contains("unknown_key"), "{told}");
    }
}

async fn check_tool(name: &str, rows: &[Row]) {
    let kit = kit();
    check(rows, async |input| {
        let result = kit.call(name, input).await;
        match result.structured() {
            Some(value) => Ok(value.clone()),
            None => Err(result.text()),
        }
    })
    .await;
}

fn editing(insert: &'static str) -> Vec<Row> {
    vec![
        (
            json!({"command": "view", "path": "/a", "view_range": [1, -1]}),
            &["view_range"],
        ),
        (
            json!({"command": "create", "path": "/a", "file_text": ""}),
            &[],
        ),
        (
            json!({"command": "str_replace", "path": "/a", "old_str": "b", "new_str": "$&"}),
            &["new_str"],
        ),
        (
            json!({"command": "insert", "path": "/a", "insert_line": 0, insert: "b"}),
            &[],
        ),
    ]
}

#[tokio::test]
async fn memory_commands() {
    let mut rows = editing("insert_text");
    rows.push((json!({"command": "delete", "path": "/a"}), &[]));
    rows.push((
        json!({"command": "rename", "old_path": "/a", "new_path": "/b"}),
        &[],
    ));
    check_tool("memory", &rows).await;
}

#[tokio::test]
async fn editor_commands() {
    // Written as models of today write it, and of those of then.
    check_tool("editor", &editing("insert_text")).await;
    let mut rows = editing("new_str");
    rows.push((json!({"command": "undo_edit", "path": "/a"}), &[]));
    check_tool("old_editor", &rows).await;
    let undo = kit()
        .call("editor", json!({"command": "undo_edit", "path": "/a"}))
        .await;
    assert!(
        undo.is_error() && undo.text().contains("undo_edit"),
        "{}",
        undo.text()
    );
}

#[tokio::test]
async fn both_texts_of_an_insert_are_one_too_many() {
    let input = json!({"command": "insert", "path": "/a", "insert_line": 0, "new_str": "a", "insert_text": "b"});
    for name in ["editor", "old_editor"] {
        let result = kit().call(name, input.clone()).await;
        assert!(result.is_error(), "{}", result.text());
    }
}

#[tokio::test]
async fn bash_commands() {
    check_tool(
        "bash",
        &[
            (json!({"command": "ls"}), &[]),
            (json!({"restart": true}), &[]),
        ],
    )
    .await;
    let call = async |input| kit().call("bash", input).await;
    let restart = call(json!({"command": "ls", "restart": true})).await;
    assert_eq!(restart.structured(), Some(&json!({"restart": true})));
    for nothing in [
        json!({}),
        json!({"restart": false}),
        json!({"command": null}),
    ] {
        assert_eq!(
            call(nothing).await.text(),
            "Error: Invalid input for tool 'bash': give a `command`, or `restart` as true"
        );
    }
}

fn actions() -> Vec<Row> {
    vec![
        (json!({"action": "key", "text": "ctrl+s"}), &[]),
        (json!({"action": "type", "text": "Hello"}), &[]),
        (json!({"action": "mouse_move", "coordinate": [1, 2]}), &[]),
        (json!({"action": "screenshot"}), &[]),
        (json!({"action": "cursor_position"}), &[]),
    ]
}

#[tokio::test]
async fn computer_actions_of_2024() {
    let mut rows = actions();
    for click in ["left_click", "right_click", "middle_click", "double_click"] {
        rows.push((json!({"action": click}), &[]));
    }
    rows.push((
        json!({"action": "left_click_drag", "coordinate": [1, 2]}),
        &[],
    ));
    check_tool("computer_2024", &rows).await;
}

fn actions_since_2025() -> Vec<Row> {
    let mut rows = actions();
    for click in [
        "left_click",
        "right_click",
        "middle_click",
        "double_click",
        "triple_click",
    ] {
        let click = json!({"action": click, "coordinate": [1, 2], "text": "shift"});
        rows.push((click, &["coordinate", "text"]));
    }
    rows.extend::<[Row; 6]>([
        (
            json!({
                "action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4], "text": "shift",
            }),
            &["start_coordinate", "text"],
        ),
        (json!({"action": "left_mouse_down"}), &[]),
        (json!({"action": "left_mouse_up"}), &[]),
        (
            json!({
                "action": "scroll", "scroll_direction": "up", "scroll_amount": 3, "coordinate": [1, 2], "text": "ctrl",
            }),
            &["coordinate", "text"],
        ),
        (json!({"action": "hold_key", "text": "a", "duration": 0.5}), &[]),
        (json!({"action": "wait", "duration": 1.5}), &[]),
    ]);
    rows
}

#[tokio::test]
async fn computer_actions_of_2025() {
    check_tool("computer_2025", &actions_since_2025()).await;
    let zoom = json!({"action": "zoom", "region": [0, 0, 8, 8]});
    let mut rows = actions_since_2025();
    rows.push((zoom.clone(), &[]));
    check_tool("computer", &rows).await;
    let result = kit().call("computer_2025", zoom).await;
    assert!(
        result.is_error() && result.text().contains("zoom"),
        "{}",
        result.text()
    );
}

#[tokio::test]
async fn coordinates_and_lines_are_integers() {
    let cases = [
        (
            "computer",
            json!({"action": "mouse_move", "coordinate": [1.5, 2]}),
            "coordinate[0]",
        ),
        (
            "computer",
            json!({"action": "mouse_move", "coordinate": [1]}),
            "coordinate",
        ),
        (
            "computer",
            json!({"action": "mouse_move", "coordinate": [1, 2, 3]}),
            "coordinate",
        ),
        (
            "memory",
            json!({"command": "view", "path": "/", "view_range": [1.5, 2]}),
            "view_range[0]",
        ),
        (
            "editor",
            json!({"command": "insert", "path": "/", "insert_line": "2", "insert_text": ""}),
            "insert_line",
        ),
    ];
    for (name, input, place) in cases {
        let result = kit().call(name, input).await;
        assert!(result.text().contains(place), "{}", result.text());
    }
}
