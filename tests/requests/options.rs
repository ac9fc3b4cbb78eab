//! What only Anthropic's API can be asked.

use haft::anthropic::{
    CacheControl, ContextEdit, Effort, McpServer, RequestExt as _, Thinking, ThinkingDisplay,
};
use haft::serde_json::{self, Value, json};
use haft::{Content, Message, Request, Role, Source, Toolkit, tool, toolkit};

use crate::{sent, text};

fn request() -> Request {
    Request::new("claude-test").max_tokens(4096).user("Go")
}

#[tokio::test]
async fn thinking_and_effort() {
    let cases = [
        (Thinking::adaptive(), json!({"type": "adaptive"})),
        (
            Thinking::adaptive().display(ThinkingDisplay::Summarized),
            json!({"type": "adaptive", "display": "summarized"}),
        ),
        (
            Thinking::enabled(2048).display(ThinkingDisplay::Omitted),
            json!({"type": "enabled", "budget_tokens": 2048, "display": "omitted"}),
        ),
        (Thinking::disabled(), json!({"type": "disabled"})),
        (Thinking::between_tools(), json!({"type": "between_tools"})),
    ];
    for (at, (thinking, expected)) in cases.into_iter().enumerate() {
        let test = format!("thinking_{at}");
        let request = request().thinking(thinking).effort(Effort::XHigh);
        let body = sent(&test, Toolkit::new(), request).await;
        assert_eq!(body["thinking"], expected);
        assert_eq!(body["output_config"], json!({"effort": "xhigh"}));
    }
}

#[tokio::test]
async fn effort_budget_and_form_go_together() {
    let request = request()
        .output::<String>()
        .task_budget(50_000)
        .effort(Effort::Max);
    let body = sent("beta_task_budget", Toolkit::new(), request).await;
    let config = &body["output_config"];
    assert_eq!(
        (&config["effort"], &config["task_budget"]["total"]),
        (&json!("max"), &json!(50_000))
    );
    assert_eq!(config["format"]["type"], "json_schema");
}

#[tokio::test]
async fn servers_and_edits_are_lists() {
    use haft::anthropic::tools::McpToolset;
    let request = request()
        .mcp_server(McpServer::new("a", "https://example.com/a").token("t"))
        .mcp_server(McpServer::new("b", "https://example.com/b"))
        .tool(McpToolset::new("a"))
        .tool(McpToolset::new("b"))
        .context_edit(ContextEdit::clear_tool_uses().option("clear_tool_inputs", true))
        // It is first, wherever it is said.
        .context_edit(ContextEdit::clear_thinking().option("keep", "all"))
        .context_edit(ContextEdit::compact().option("pause_after_compaction", true));
    let body = sent("beta_servers_and_edits", Toolkit::new(), request).await;
    assert_eq!(
        body["mcp_servers"],
        json!([
            {"type": "url", "name": "a", "url": "https://example.com/a", "authorization_token": "t"},
            {"type": "url", "name": "b", "url": "https://example.com/b"},
        ])
    );
    assert_eq!(
        body["context_management"],
        json!({"edits": [
            {"type": "clear_thinking_20251015", "keep": "all"},
            {"type": "clear_tool_uses_20250919", "clear_tool_inputs": true},
            {"type": "compact_20260112", "pause_after_compaction": true},
        ]})
    );
    let server = McpServer::new("a", "https://example.com/a").token("secret");
    assert!(!format!("{server:?}").contains("secret"));
    let request = self::request().mcp_server(server);
    assert!(!format!("{request:?}").contains("secret"), "{request:?}");
}

/// The time.
#[tool(option(cache_control = {"type": "ephemeral", "ttl": "1h"}, defer_loading = false, eager_input_streaming = true))]
async fn now() -> &'static str {
    "12:00"
}

#[tokio::test]
async fn what_is_cached() {
    let cache = || json!({"type": "ephemeral"});
    let blocks = vec![
        Content::text("a"),
        Content::image("image/png", "iVBORw0KGgo=")
            .option("cache_control", CacheControl::ephemeral()),
        Content::document(Source::Text("d".into())).option("title", "T"),
        Content::search_result("s", "t", vec!["p".into()])
            .option("citations", json!({"enabled": true})),
        Content::text("b").option("cache_control", CacheControl::ephemeral()),
    ];
    let request = Request::new("claude-test")
        .max_tokens(4096)
        .system("One.")
        .system("Two.")
        .cache_system(CacheControl::ephemeral().for_an_hour())
        .message(Message::new(Role::User, blocks));
    // It goes round as data, too.
    let stored = json!(request).to_string();
    let request: Request = serde_json::from_str(&stored).unwrap();
    let body = sent("what_is_cached", toolkit![now], request).await;
    let mut two = text("Two.");
    two["cache_control"] = json!({"type": "ephemeral", "ttl": "1h"});
    assert_eq!(body["system"], json!([text("One."), two]));
    assert_eq!(body["tools"][0]["cache_control"]["ttl"], "1h");
    assert_eq!(body["tools"][0]["eager_input_streaming"], true);
    let content = body["messages"][0]["content"].as_array().unwrap();
    let cached: Vec<_> = content
        .iter()
        .map(|block| block.get("cache_control").cloned())
        .collect();
    assert_eq!(cached, [None, Some(cache()), None, None, Some(cache())]);
    assert_eq!(
        (&content[2]["title"], &content[3]["citations"]),
        (&json!("T"), &json!({"enabled": true}))
    );

    let request = self::request().cache_control(CacheControl::ephemeral());
    let body = sent("cache_by_itself", Toolkit::new(), request).await;
    assert_eq!(body["cache_control"], cache());
}

/// Look up the weather.
#[tool]
async fn weather(
    #[arg(example = "Oslo", example = "Tokyo")] city: String,
    #[arg(example = 3)] days: Option<u8>,
) -> String {
    format!("{city} {days:?}")
}

#[tokio::test]
async fn examples_of_parameters_are_whole_inputs() {
    let body = sent("input_examples", toolkit![weather], request()).await;
    let examples = &body["tools"][0]["input_examples"];
    assert_eq!(
        *examples,
        json!([{"city": "Oslo", "days": 3}, {"city": "Tokyo", "days": 3}])
    );
    let body = sent("no_input_examples", toolkit![now], request()).await;
    assert_eq!(body["tools"][0].get("input_examples"), None::<&Value>);
}
