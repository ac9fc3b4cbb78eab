//! Each tool of the API in every version: its definition as it is sent, and the betas that go with it.

use haft::anthropic::Anthropic;
use haft::anthropic::tools::{
    Advisor, BASH_20241022, BASH_20250124, Browser, BrowserToolset, COMPUTER_20241022,
    COMPUTER_20250124, COMPUTER_20251124, CodeExecution, Computer, ComputerToolset,
    MEMORY_20250818, McpToolset, ResponseInclusion, ServerTool, TEXT_EDITOR_20241022,
    TEXT_EDITOR_20250124, TEXT_EDITOR_20250429, TEXT_EDITOR_20250728, ToolSearchBm25,
    ToolSearchRegex, WebFetch, WebSearch,
};
use haft::serde_json::{Value, json};
use haft::{ProviderTool, Request, Runner, ToolDefinition, ToolInput, Toolkit};
use haft_tests::server::{Server, ServerReply};

/// A definition, as it is sent, and the beta that it needs.
type Row = (ToolDefinition, Value, Option<&'static str>);

fn client<I: ToolInput>(tool: &ProviderTool<I>, sent: Value, beta: Option<&'static str>) -> Row {
    (tool.definition("own", "What it is.").unwrap(), sent, beta)
}

fn clients() -> Vec<Row> {
    let named = |kind: &str, name: &str| json!({"type": kind, "name": name});
    let editor = |kind: &str| named(kind, "str_replace_based_edit_tool");
    let display = |kind: &str| {
        json!({
            "type": kind, "name": "computer", "display_width_px": 1024, "display_height_px": 768,
        })
    };
    let mut with_all = display("computer_20251124");
    with_all["display_number"] = json!(1);
    with_all["enable_zoom"] = json!(true);
    let computer_2024 = Some("computer-use-2024-10-22");
    vec![
        client(
            &BASH_20241022,
            named("bash_20241022", "bash"),
            computer_2024,
        ),
        client(&BASH_20250124, named("bash_20250124", "bash"), None),
        client(
            &TEXT_EDITOR_20241022,
            named("text_editor_20241022", "str_replace_editor"),
            computer_2024,
        ),
        client(
            &TEXT_EDITOR_20250124,
            named("text_editor_20250124", "str_replace_editor"),
            None,
        ),
        client(&TEXT_EDITOR_20250429, editor("text_editor_20250429"), None),
        client(&TEXT_EDITOR_20250728, editor("text_editor_20250728"), None),
        client(&MEMORY_20250818, named("memory_20250818", "memory"), None),
        client(
            &COMPUTER_20241022.display(1024, 768),
            display("computer_20241022"),
            computer_2024,
        ),
        client(
            &COMPUTER_20250124.display(1024, 768),
            display("computer_20250124"),
            Some("computer-use-2025-01-24"),
        ),
        client(
            &COMPUTER_20251124.display(1024, 768),
            display("computer_20251124"),
            Some("computer-use-2025-11-24"),
        ),
        client(
            &COMPUTER_20251124
                .display(1024, 768)
                .on_display(1)
                .with_zoom(),
            with_all,
            Some("computer-use-2025-11-24"),
        ),
    ]
}

fn servers() -> Vec<Row> {
    let plain = |tool: ToolDefinition, kind: &str, name: &str| {
        (tool, json!({"type": kind, "name": name}), None)
    };
    let code = "code_execution";
    let mut rows = vec![
        plain(
            WebSearch::version_20250305().into(),
            "web_search_20250305",
            "web_search",
        ),
        plain(
            WebSearch::version_20260209().into(),
            "web_search_20260209",
            "web_search",
        ),
        plain(
            WebSearch::version_20260318().into(),
            "web_search_20260318",
            "web_search",
        ),
        plain(
            WebFetch::version_20250910().into(),
            "web_fetch_20250910",
            "web_fetch",
        ),
        plain(
            WebFetch::version_20260209().into(),
            "web_fetch_20260209",
            "web_fetch",
        ),
        plain(
            WebFetch::version_20260309().into(),
            "web_fetch_20260309",
            "web_fetch",
        ),
        plain(
            WebFetch::version_20260318().into(),
            "web_fetch_20260318",
            "web_fetch",
        ),
        plain(
            CodeExecution::version_20250522().into(),
            "code_execution_20250522",
            code,
        ),
        plain(
            CodeExecution::version_20250825().into(),
            "code_execution_20250825",
            code,
        ),
        plain(
            CodeExecution::version_20260120().into(),
            "code_execution_20260120",
            code,
        ),
        plain(
            CodeExecution::version_20260521().into(),
            "code_execution_20260521",
            code,
        ),
        plain(
            ToolSearchRegex::version_20251119().into(),
            "tool_search_tool_regex_20251119",
            "tool_search_tool_regex",
        ),
        plain(
            ToolSearchRegex::latest().into(),
            "tool_search_tool_regex",
            "tool_search_tool_regex",
        ),
        plain(
            ToolSearchBm25::version_20251119().into(),
            "tool_search_tool_bm25_20251119",
            "tool_search_tool_bm25",
        ),
        plain(
            ToolSearchBm25::latest().into(),
            "tool_search_tool_bm25",
            "tool_search_tool_bm25",
        ),
        (
            Advisor::version_20260301("claude-opus-5-5").into(),
            json!({"type": "advisor_20260301", "name": "advisor", "model": "claude-opus-5-5"}),
            Some("advisor-tool-2026-03-01"),
        ),
        (
            McpToolset::new("docs")
                .others(json!({"enabled": false}))
                .tool("read", json!({"enabled": true, "defer_loading": true}))
                .into(),
            json!({
                "type": "mcp_toolset", "mcp_server_name": "docs", "default_config": {"enabled": false},
                "configs": {"read": {"enabled": true, "defer_loading": true}},
            }),
            Some("mcp-client-2025-11-20"),
        ),
    ];
    for row in &mut rows {
        if row.1["type"] == "code_execution_20250522" {
            row.2 = Some("code-execution-2025-05-22");
        }
    }
    rows.extend(with_all_fields());
    rows
}

/// With every field that there is.
fn with_all_fields() -> Vec<Row> {
    let mut location = haft::anthropic::tools::UserLocation::default();
    location.city = Some("Oslo".to_owned());
    location.country = Some("NO".to_owned());
    let search = WebSearch::version_20260318()
        .max_uses(3)
        .allowed_domains(["docs.rs"])
        .user_location(location)
        .response_inclusion(ResponseInclusion::Excluded)
        .strict(true)
        .option("cache_control", json!({"type": "ephemeral", "ttl": "1h"}))
        .option("defer_loading", false)
        .option(
            "allowed_callers",
            json!(["direct", "code_execution_20260521"]),
        );
    let fetch = WebFetch::version_20260318()
        .max_uses(3)
        .blocked_domains(["example.com"])
        .citations(true)
        .max_content_tokens(1000)
        .use_cache(false)
        .response_inclusion(ResponseInclusion::Full);
    let advisor = Advisor::version_20260301("m").max_uses(1).max_tokens(500);
    vec![
        (
            search.into(),
            json!({
                "type": "web_search_20260318", "name": "web_search", "max_uses": 3,
                "allowed_domains": ["docs.rs"], "response_inclusion": "excluded", "strict": true,
                "user_location": {"type": "approximate", "city": "Oslo", "country": "NO"},
                "cache_control": {"type": "ephemeral", "ttl": "1h"}, "defer_loading": false,
                "allowed_callers": ["direct", "code_execution_20260521"],
            }),
            None,
        ),
        (
            fetch.into(),
            json!({
                "type": "web_fetch_20260318", "name": "web_fetch", "max_uses": 3,
                "blocked_domains": ["example.com"], "citations": {"enabled": true},
                "max_content_tokens": 1000, "use_cache": false, "response_inclusion": "full",
            }),
            None,
        ),
        (
            advisor.into(),
            json!({
                "type": "advisor_20260301", "name": "advisor", "model": "m", "max_uses": 1, "max_tokens": 500,
            }),
            Some("advisor-tool-2026-03-01"),
        ),
        (
            ServerTool::new("web_search_20260318", "web_search")
                .option("max_uses", 1)
                .into(),
            json!({"type": "web_search_20260318", "name": "web_search", "max_uses": 1}),
            None,
        ),
    ]
}

/// It implements nothing.
struct Nothing;
impl Computer for Nothing {}
impl Browser for Nothing {}

/// What was sent with a request that offers this alone: the body, and the header of betas.
async fn sent(test: &str, kit: Toolkit, request: Request) -> (Value, Option<String>) {
    let reply = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    let server = Server::start(vec![ServerReply::json(200, &reply)])
        .await
        .record_as(test);
    let builder = Anthropic::builder().api_key("none").base_url(server.url());
    let provider = builder.build().unwrap();
    Runner::new(provider, kit, request)
        .run_to_completion()
        .await
        .unwrap();
    let seen = &server.requests()[0];
    let betas = seen.header("anthropic-beta").map(str::to_owned);
    (seen.json().unwrap(), betas)
}

#[tokio::test]
async fn each_definition_is_sent_as_the_api_takes_it() {
    let rows: Vec<_> = clients().into_iter().chain(servers()).collect();
    assert_eq!(rows.len(), 11 + 17 + 4);
    for (at, (definition, expected, beta)) in rows.into_iter().enumerate() {
        let kind = expected["type"].as_str().unwrap();
        let mut request = Request::new("m").user("Go").tool(definition);
        if kind == "mcp_toolset" {
            let servers =
                json!([{"type": "url", "name": "docs", "url": "https://example.com/mcp"}]);
            request = request.option("mcp_servers", servers);
        }
        let (body, betas) = sent(&format!("beta_{at}_{kind}"), Toolkit::new(), request).await;
        assert_eq!(body["tools"], json!([expected]));
        assert_eq!(betas.as_deref(), beta, "{kind}");
    }
}

#[tokio::test]
async fn each_toolset_is_sent_as_the_api_takes_it() {
    let cache = json!({"type": "ephemeral"});
    let computer = ComputerToolset::new(Nothing).cache_control(cache.clone());
    let browser = BrowserToolset::new(Nothing).named("pages").unwrap();
    let kit = Toolkit::new()
        .with(computer)
        .unwrap()
        .with(browser)
        .unwrap();
    let (body, betas) = sent("beta_toolsets", kit, Request::new("m").user("Go")).await;
    assert_eq!(betas, None);
    let [computer, browser] = body["tools"].as_array().unwrap().as_slice() else {
        panic!("{body}");
    };
    assert_eq!(computer["type"], "computer_toolset_20260801");
    assert_eq!(computer["cache_control"], cache);
    assert_eq!(computer["configs"].as_object().unwrap().len(), 17);
    assert_eq!(browser["type"], "browser_toolset_20260801");
    // Four are off where nothing is said.
    assert_eq!(browser["configs"].as_object().unwrap().len(), 31 - 4);
    assert_eq!((computer.get("name"), browser.get("name")), (None, None));
}

#[tokio::test]
async fn betas_are_sent_once_beside_the_programs_own() {
    let server = Server::start(Vec::new()).await;
    let builder = Anthropic::builder().api_key("none").base_url(server.url());
    let provider = builder
        .beta("own-2026-01-01")
        .beta("computer-use-2024-10-22")
        .max_retries(0)
        .build()
        .unwrap();
    let bash = BASH_20241022.definition("shell", "").unwrap();
    let editor = TEXT_EDITOR_20241022.definition("editor", "").unwrap();
    let request = Request::new("m")
        .user("Go")
        .tool(bash)
        .tool(editor)
        .option(
            "container",
            json!({"skills": [{"type": "anthropic", "skill_id": "pdf"}]}),
        )
        .option(
            "context_management",
            json!({"edits": [{"type": "compact_20260112"}]}),
        )
        .option(
            "thinking",
            json!({"type": "adaptive", "display": "updates"}),
        );
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    runner.run_to_completion().await.unwrap_err();
    assert_eq!(
        server.requests()[0].header("anthropic-beta"),
        Some(
            "own-2026-01-01,computer-use-2024-10-22,skills-2025-10-02,compact-2026-01-12,\
             thinking-display-updates-2026-08-18"
        )
    );
}
