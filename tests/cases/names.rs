//! A tool that the API defines: its own name in the program, the API's name on the wire, in every direction.

use std::sync::{Arc, Mutex};

use haft::anthropic::tools::{
    BASH_20241022, BASH_20250124, MEMORY_20250818, McpToolset, MemoryCommand, TEXT_EDITOR_20250728,
    TextEditorCommand, WebSearch,
};
use haft::serde_json::{self, Value, json};
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Content, Dialect, ErrorKind, Event, FunctionTool, Message, RawJson, Request, RunState, Runner,
    StreamExt, ToolChoice, Toolkit, tool, toolkit,
};

use crate::case::{Case, Mode, assistant, text, user};

/// What the handlers were called with.
type Seen<C> = Arc<Mutex<Vec<C>>>;

/// Notes kept between conversations.
#[tool(provider = MEMORY_20250818)]
async fn notes(seen: &Seen<MemoryCommand>, command: MemoryCommand) -> &'static str {
    seen.lock().unwrap().push(command);
    "kept"
}

/// Edits files.
#[tool(provider = TEXT_EDITOR_20250728)]
async fn editor(seen: &Seen<TextEditorCommand>, command: TextEditorCommand) -> &'static str {
    seen.lock().unwrap().push(command);
    "edited"
}

fn call(name: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": "t1", "name": name, "input": input})
}

fn result(id: &str, words: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": [text(words)]})
}

fn view() -> Value {
    json!({"command": "view", "path": "/memories"})
}

/// A run in which the model calls the memory once.
async fn remembering(mode: Mode, input: &Value) -> (Case, Vec<MemoryCommand>) {
    let seen = Seen::default();
    let kit = toolkit![notes].with_state(Arc::clone(&seen));
    let replies = vec![
        mode.reply(&json!([call("memory", input)]), "tool_use"),
        mode.says("Done."),
    ];
    let mut case = Case::with_kit(mode, kit, replies).await;
    case.run().await.unwrap();
    let seen = seen.lock().unwrap().clone();
    (case, seen)
}

#[tokio::test]
async fn rn_19_a_call_by_the_wire_name_reaches_the_handler_and_goes_back_by_it() {
    for mode in Mode::ALL {
        let (case, seen) = remembering(mode, &view()).await;
        assert_eq!(
            seen,
            [MemoryCommand::View {
                path: "/memories".to_owned(),
                view_range: None
            }]
        );
        for body in case.bodies() {
            assert_eq!(
                body["tools"],
                json!([{"type": "memory_20250818", "name": "memory"}]),
                "{mode:?}"
            );
        }
        let messages = case.messages(1);
        assert_eq!(
            messages[1],
            assistant(&json!([call("memory", &view())])),
            "{mode:?}"
        );
        assert_eq!(messages[2], user(&json!([result("t1", "kept")])));
        assert!(!case.bytes(1).contains("notes"), "{}", case.bytes(1));
    }
}

#[tokio::test]
async fn rn_19_a_required_field_is_required_and_all_of_it_arrives() {
    for mode in Mode::ALL {
        let create = json!({"command": "create", "path": "/memories/a", "file_text": "x\r\n$& 🦀"});
        let (_, seen) = remembering(mode, &create).await;
        assert_eq!(
            seen,
            [MemoryCommand::Create {
                path: "/memories/a".to_owned(),
                file_text: "x\r\n$& 🦀".to_owned()
            }]
        );
        let (case, seen) = remembering(mode, &json!({"command": "create", "path": "/a"})).await;
        assert_eq!(seen, []);
        let answer = &case.messages(1)[2]["content"][0];
        assert_eq!(answer["is_error"], true);
        assert_eq!(
            answer["content"][0]["text"],
            "Error: Invalid input for tool 'memory': file_text: required, but missing"
        );
    }
}

#[tokio::test]
async fn rn_19_the_program_sees_its_own_name() {
    let (mode, seen) = (Mode::Streamed, Seen::<MemoryCommand>::default());
    let replies = vec![
        mode.reply(&json!([call("memory", &view())]), "tool_use"),
        mode.says("Done."),
    ];
    let mut case = Case::with_kit(mode, toolkit![notes].with_state(seen), replies).await;
    let (mut names, mut wire_names) = (Vec::new(), Vec::new());
    let mut events = case.runner.all_streaming();
    while let Some(event) = events.next().await {
        match event.unwrap() {
            Event::CallStarted { name, .. } => names.push(name),
            Event::ToolStarted(call) => {
                wire_names.push(call.wire_name().to_owned());
                names.push(call.name().to_owned());
            }
            Event::ToolFinished(result) => names.push(result.name().to_owned()),
            Event::Reply(reply) => {
                names.extend(reply.tool_calls().map(|call| call.name().to_owned()));
            }
            _ => {}
        }
    }
    assert_eq!(names, ["notes"; 4]);
    assert_eq!(wire_names, ["memory"]);
}

#[tokio::test]
async fn rn_19_the_tool_choice_has_the_wire_name() {
    for mode in Mode::ALL {
        let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
        let kit = kit
            .with(WebSearch::version_20260318().named("search").unwrap())
            .unwrap();
        let mut case = Case::with_kit(mode, kit, vec![mode.says("1"), mode.says("2")]).await;
        for (at, (own, wire)) in [("notes", "memory"), ("search", "web_search")]
            .into_iter()
            .enumerate()
        {
            case.runner.request_mut().tool_choice = Some(ToolChoice::Tool(own.to_owned()));
            case.runner.append_messages([Message::user("Go on")]);
            case.run().await.unwrap();
            let choice = &case.bodies()[at]["tool_choice"];
            assert_eq!(*choice, json!({"type": "tool", "name": wire}));
        }
    }
}

/// Calls that were made elsewhere have no form of this API: they are written from the neutral one.
#[tokio::test]
async fn rn_19_a_history_of_another_model_has_the_wire_name() {
    for mode in Mode::ALL {
        let mut case = {
            let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
            Case::with_kit(mode, kit, vec![mode.says("Done.")]).await
        };
        let model = ScriptedModel::new()
            .reply(ScriptedReply::new().call("notes", RawJson::from_value(&view())))
            .reply(ScriptedReply::new().text("Noted."));
        let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
        let mut elsewhere = Runner::new(model, kit, Request::new("m").user("Go"));
        elsewhere.run_to_completion().await.unwrap();
        let history = elsewhere.messages();
        assert_eq!(history[1].tool_calls().next().unwrap().name(), "notes");

        let request = case.runner.request_mut();
        request.messages = history;
        *request = request.clone().user("Go on");
        case.run().await.unwrap();
        let called = &case.messages(0)[1]["content"][0];
        assert_eq!(
            (&called["name"], &called["input"]),
            (&json!("memory"), &view())
        );
        assert!(!case.bytes(0).contains("notes"));
    }
}

#[tokio::test]
async fn rn_19_a_resumed_run_keeps_both_names() {
    for mode in Mode::ALL {
        let seen = Seen::<MemoryCommand>::default();
        let kit = toolkit![notes].with_state(Arc::clone(&seen));
        let replies = vec![
            mode.reply(&json!([call("memory", &view())]), "tool_use"),
            mode.says("Done."),
        ];
        let mut case = Case::with_kit(mode, kit, replies).await;
        case.next().await.unwrap();
        let saved = json!(case.runner.state()).to_string();
        let state: RunState = serde_json::from_str(&saved).unwrap();
        let kit = toolkit![notes].with_state(Arc::clone(&seen));
        case.runner = Runner::resume(case.provider(), kit, state).unwrap();
        case.run().await.unwrap();
        assert_eq!(seen.lock().unwrap().len(), 1);
        assert_eq!(case.messages(1)[1]["content"][0]["name"], "memory");
    }
}

#[tokio::test]
async fn rn_19_insert_takes_both_spellings_of_its_text() {
    for (mode, key) in [
        (Mode::Plain, "insert_text"),
        (Mode::Plain, "new_str"),
        (Mode::Streamed, "insert_text"),
        (Mode::Streamed, "new_str"),
    ] {
        let seen = Seen::default();
        let kit = toolkit![editor].with_state(Arc::clone(&seen));
        let input = json!({"command": "insert", "path": "/a", "insert_line": 2, key: "x"});
        let called = call("str_replace_based_edit_tool", &input);
        let replies = vec![mode.reply(&json!([called]), "tool_use"), mode.says("Done.")];
        let mut case = Case::with_kit(mode, kit, replies).await;
        case.run().await.unwrap();
        let expected = TextEditorCommand::Insert {
            path: "/a".to_owned(),
            insert_line: 2,
            insert_text: "x".to_owned(),
        };
        assert_eq!(*seen.lock().unwrap(), [expected], "{key}");
    }
}

#[tokio::test]
async fn rn_19_two_tools_of_one_wire_name_are_an_error_before_anything_is_sent() {
    let own = |name: &str| {
        FunctionTool::from_schema(name, "", json!({"type": "object"}), async |_: Value| "").unwrap()
    };
    let definition = |tool: haft::ToolDefinition| Request::new("m").user("Go").tool(tool);
    let bash = BASH_20250124.definition("shell", "").unwrap();
    let old_bash = BASH_20241022.definition("old_shell", "").unwrap();
    let memory = MEMORY_20250818.definition("more_notes", "").unwrap();
    let with_notes = || toolkit![notes].with_state(Seen::<MemoryCommand>::default());
    let cases = [
        (
            with_notes().with(own("memory")).unwrap(),
            definition(bash.clone()),
            "`notes` and `memory`",
        ),
        (with_notes(), definition(memory), "`notes` and `more_notes`"),
        (
            Toolkit::new(),
            definition(bash).tool(old_bash),
            "`shell` and `old_shell`",
        ),
        (
            Toolkit::new().with(own("web_search")).unwrap(),
            definition(
                WebSearch::version_20250305()
                    .named("search")
                    .unwrap()
                    .into(),
            ),
            "`web_search` and `search`",
        ),
    ];
    for (kit, request, names) in cases {
        let case = Case::with_kit(Mode::Plain, Toolkit::new(), Vec::new()).await;
        let mut runner = Runner::new(case.provider(), kit, request);
        let error = runner.run_to_completion().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Definition);
        assert!(error.to_string().contains(names), "{error}");
        assert_eq!(case.bodies(), Vec::<Value>::new());
    }
}

/// A tool without a name at the API takes none away.
#[tokio::test]
async fn an_mcp_server_may_be_named_like_a_tool() {
    let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
    let kit = kit.with(McpToolset::new("memory")).unwrap();
    let mut case = Case::with_kit(Mode::Plain, kit, vec![Mode::Plain.says("Done.")]).await;
    case.run().await.unwrap();
    assert_eq!(case.bodies()[0]["tools"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn rn_6_the_model_is_told_the_names_that_it_knows() {
    for mode in Mode::ALL {
        let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
        let kit = kit.with(WebSearch::version_20260318()).unwrap();
        let replies = vec![
            mode.reply(&json!([call("memry", &view())]), "tool_use"),
            mode.says("Done."),
        ];
        let mut case = Case::with_kit(mode, kit, replies).await;
        case.run().await.unwrap();
        assert_eq!(
            case.messages(1)[2]["content"][0]["content"][0]["text"],
            "Error: Tool 'memry' not found. Available tools: memory"
        );
    }
}

/// At an API that does not define it, it is a function with the schema of its commands.
#[tokio::test]
async fn elsewhere_it_is_a_function() {
    let model = ScriptedModel::new()
        .reply(ScriptedReply::new().call("notes", RawJson::from_value(&view())))
        .reply(ScriptedReply::new().text("Noted."));
    let seen = Seen::default();
    let kit = toolkit![notes].with_state(Arc::clone(&seen));
    let kit = kit.with(WebSearch::version_20260318()).unwrap();
    let definition = kit.get("notes").unwrap().definition().clone();
    let schema = definition.input_schema();
    assert_eq!(schema["required"], json!(["command"]));
    assert_eq!(
        schema["properties"]["command"]["enum"],
        json!([
            "view",
            "create",
            "str_replace",
            "insert",
            "delete",
            "rename"
        ])
    );
    assert_eq!(
        schema["properties"]["file_text"]["description"],
        "What is to stand in it. Required by `create`."
    );
    let mut runner = Runner::new(model, kit, Request::new("m").user("Go"));
    runner.run_to_completion().await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_tool_of_the_server_has_an_own_name_too() {
    let blocks = json!([
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "a"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        text("Found."),
    ]);
    for mode in Mode::ALL {
        let search = WebSearch::version_20260318().named("search").unwrap();
        let kit = Toolkit::new().with(search).unwrap();
        let replies = vec![mode.reply(&blocks, "end_turn"), mode.says("Done.")];
        let mut case = Case::with_kit(mode, kit, replies).await;
        let reply = case.run().await.unwrap().reply;
        let others = reply.content().iter().filter_map(|block| match block {
            Content::Other(other) => other.tool.clone(),
            _ => None,
        });
        let tools: Vec<_> = others.collect();
        assert_eq!(tools, ["search"]);
        case.runner.append_messages([Message::user("Go on")]);
        case.run().await.unwrap();
        assert_eq!(
            case.messages(1)[1],
            assistant(&blocks),
            "it goes back as it came"
        );
    }
}

#[test]
fn definitions_for_another_dialect_are_functions() {
    let kit = toolkit![notes].with_state(Seen::<MemoryCommand>::default());
    let kit = kit.with(WebSearch::version_20260318()).unwrap();
    let own = kit.definitions_for(Dialect::AnthropicStrict).unwrap();
    assert_eq!(
        own,
        [
            json!({"type": "memory_20250818", "name": "memory"}),
            json!({"type": "web_search_20260318", "name": "web_search"}),
        ]
    );
    for dialect in [
        Dialect::Plain,
        Dialect::OpenAiStrict,
        Dialect::Gemini,
        Dialect::Mcp,
    ] {
        let functions = kit.definitions_for(dialect).unwrap();
        assert_eq!(functions.len(), 1, "{dialect:?}");
        assert_eq!(functions[0]["name"], "notes");
    }
}
