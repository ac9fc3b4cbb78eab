//! Each tool of the API: its definition as it is sent.

use haft::openai::tools::{
    APPLY_PATCH, COMPUTER, CUSTOM, CodeInterpreter, FileSearch, ImageGeneration, LOCAL_SHELL, Mcp,
    McpApproval, ProgrammaticToolCalling, SHELL, Screen, SearchContextSize, ServerTool, ToolSearch,
    UserLocation, WebSearch, computer_use_preview,
};
use haft::serde_json::{Value, json};
use haft::{ProviderTool, Request, Runner, ToolDefinition, ToolInput, Toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, response, responses, says};

fn own<I: ToolInput>(tool: &ProviderTool<I>) -> ToolDefinition {
    tool.definition("own", "What it is.").unwrap()
}

fn rows() -> Vec<(ToolDefinition, Value)> {
    let custom = |format: Option<Value>| {
        let mut tool = json!({"type": "custom", "name": "own", "description": "What it is."});
        if let Some(format) = format {
            tool["format"] = format;
        }
        tool
    };
    let grammar = |syntax: &str, definition: &str| {
        Some(json!({"type": "grammar", "syntax": syntax, "definition": definition}))
    };
    let mut oslo = UserLocation::default();
    oslo.city = Some("Oslo".to_owned());
    vec![
        (
            own(&SHELL),
            json!({"type": "shell", "environment": {"type": "local"}}),
        ),
        (own(&LOCAL_SHELL), json!({"type": "local_shell"})),
        (own(&APPLY_PATCH), json!({"type": "apply_patch"})),
        (own(&COMPUTER), json!({"type": "computer"})),
        (
            own(&computer_use_preview(1024, 768, Screen::Browser)),
            json!({
                "type": "computer_use_preview", "display_width": 1024, "display_height": 768, "environment": "browser",
            }),
        ),
        (own(&CUSTOM), custom(None)),
        (
            own(&CUSTOM.lark("start: \"a\"")),
            custom(grammar("lark", "start: \"a\"")),
        ),
        (own(&CUSTOM.regex("a+")), custom(grammar("regex", "a+"))),
        (
            WebSearch::new()
                .allowed_domains(["docs.rs"])
                .search_context_size(SearchContextSize::Low)
                .user_location(&oslo)
                .external_web_access(true)
                .into(),
            json!({
                "type": "web_search", "filters": {"allowed_domains": ["docs.rs"]}, "search_context_size": "low",
                "user_location": {"type": "approximate", "city": "Oslo"}, "external_web_access": true,
            }),
        ),
        (
            ServerTool::new("web_search_preview").into(),
            json!({"type": "web_search_preview"}),
        ),
        (
            FileSearch::new(["vs_1"]).max_num_results(5).into(),
            json!({"type": "file_search", "vector_store_ids": ["vs_1"], "max_num_results": 5}),
        ),
        (
            CodeInterpreter::new().into(),
            json!({"type": "code_interpreter", "container": {"type": "auto"}}),
        ),
        (
            CodeInterpreter::new().container("cntr_1").into(),
            json!({"type": "code_interpreter", "container": "cntr_1"}),
        ),
        (
            ImageGeneration::new()
                .size("1024x1024")
                .quality("low")
                .output_format("png")
                .into(),
            json!({"type": "image_generation", "size": "1024x1024", "quality": "low", "output_format": "png"}),
        ),
        (
            Mcp::new("docs", "https://example.com/mcp")
                .allowed_tools(["search"])
                .require_approval(McpApproval::Never)
                .authorization("token")
                .headers([("x-a", "b")])
                .into(),
            json!({
                "type": "mcp", "server_label": "docs", "server_url": "https://example.com/mcp",
                "allowed_tools": ["search"], "require_approval": "never", "authorization": "token", "headers": {"x-a": "b"},
            }),
        ),
        (
            Mcp::connector("mail", "connector_gmail").into(),
            json!({"type": "mcp", "server_label": "mail", "connector_id": "connector_gmail"}),
        ),
        (ToolSearch::new().into(), json!({"type": "tool_search"})),
        (
            ProgrammaticToolCalling::new().into(),
            json!({"type": "programmatic_tool_calling"}),
        ),
    ]
}

#[tokio::test]
async fn each_definition_is_sent_as_the_api_has_it() {
    for (definition, sent) in rows() {
        let server = Server::start(vec![ServerReply::json(200, &response(&[says("Hi.")]))]).await;
        let kind = sent["type"].as_str().unwrap();
        let server = server.record_as(&format!("responses_tool_{kind}"));
        let request = Request::new("m").user("Go").tool(definition);
        let mut runner = Runner::new(responses(&server), Toolkit::new(), request);
        runner.run_to_completion().await.unwrap();
        assert_eq!(bodies(&server)[0]["tools"], json!([sent]));
    }
}

#[test]
fn no_token_is_printed() {
    let mcp = Mcp::new("docs", "https://example.com/mcp").authorization("a-secret-token");
    let definition = mcp.definition().clone();
    let kit: Toolkit = Toolkit::new().with(mcp).unwrap();
    let request = Request::new("m").tool(definition.clone());
    for printed in [
        format!("{definition:?}"),
        format!("{kit:?}"),
        format!("{request:?}"),
    ] {
        assert!(!printed.contains("a-secret-token"), "{printed}");
    }
}

/// A server that only speaks the API is offered functions, and nothing that it would have to run.
#[tokio::test]
async fn another_server_is_offered_functions() {
    let server = Server::start(vec![ServerReply::json(200, &response(&[says("Hi.")]))]).await;
    let builder = haft::openai::Responses::builder().base_url(crate::answers::v1(&server));
    let provider = builder.provider_tools(false).build().unwrap();
    let request = Request::new("m")
        .user("Go")
        .tool(own(&SHELL))
        .tool(WebSearch::new());
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    let tools = bodies(&server)[0]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 1, "{tools}");
    assert_eq!(
        (&tools[0]["type"], &tools[0]["name"]),
        (&json!("function"), &json!("own"))
    );
}

/// A tool may go to several APIs, with options of each.
#[tokio::test]
async fn chat_is_not_told_of_the_options_of_another_api() {
    let reply = crate::answers::completion(&json!({"role": "assistant", "content": "Hi."}));
    let server = Server::start(vec![ServerReply::json(200, &reply)]).await;
    let provider = crate::answers::Speaks::Chat.provider(&server);
    let tool = ToolDefinition::new("own", "", json!({"type": "object"})).unwrap();
    let tool = tool
        .option("cache_control", json!({"type": "ephemeral"}))
        .option("defer_loading", true)
        .option("strict", false);
    let request = Request::new("m").user("Go").tool(tool);
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    let function = &bodies(&server)[0]["tools"][0]["function"];
    let keys: Vec<_> = function.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "parameters", "strict"]);
}
