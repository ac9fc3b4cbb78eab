//! The fields of a request, its tools and its content.

use haft::serde_json::{Value, json};
use haft::{
    Api, Content, ErrorKind, FunctionTool, Message, RawJson, Request, Role, Runner, Source,
    ToolCall, ToolChoice, ToolDefinition, ToolResult, Toolkit, toolkit,
};
use haft_tests::provider::anthropic;
use haft_tests::server::Server;

use crate::{done, get_weather, sent, text, user, weather};

#[tokio::test]
async fn a_request_has_what_it_says_and_nothing_more() {
    let body = sent(
        "plain",
        Toolkit::new(),
        Request::new("claude-test").user("Hi"),
    )
    .await;
    assert_eq!(
        body,
        json!({"model": "claude-test", "max_tokens": 8192, "messages": [user(&json!([text("Hi")]))]})
    );
}

#[tokio::test]
async fn every_field_of_a_request_is_sent() {
    let request = Request::new("claude-test")
        .max_tokens(100)
        .system("Be brief.")
        .user("Hi")
        .message(Message::assistant("Hello."))
        .user("How are you?")
        .tool_choice(ToolChoice::Auto)
        .parallel_tool_calls(false)
        .stop_sequences(["STOP"])
        .option("metadata", json!({"user_id": "u1"}));
    let body = sent("every_field", toolkit![get_weather], request).await;
    assert_eq!(
        body,
        json!({
            "model": "claude-test",
            "max_tokens": 100,
            "system": [text("Be brief.")],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
            "stop_sequences": ["STOP"],
            "metadata": {"user_id": "u1"},
            "tools": [weather()],
            "messages": [
                user(&json!([text("Hi")])),
                {"role": "assistant", "content": [text("Hello.")]},
                user(&json!([text("How are you?")])),
            ],
        })
    );
}

#[tokio::test]
async fn tool_choices_are_spelled_as_the_api_does() {
    let cases = [
        (ToolChoice::Auto, None, json!({"type": "auto"})),
        (
            ToolChoice::Any,
            Some(true),
            json!({"type": "any", "disable_parallel_tool_use": false}),
        ),
        (
            ToolChoice::Tool("get_weather".into()),
            None,
            json!({"type": "tool", "name": "get_weather"}),
        ),
        (ToolChoice::None, Some(false), json!({"type": "none"})),
    ];
    for (at, (choice, parallel, expected)) in cases.into_iter().enumerate() {
        let mut request = Request::new("claude-test").user("Hi").tool_choice(choice);
        request.parallel_tool_calls = parallel;
        let body = sent(&format!("tool_choice_{at}"), toolkit![get_weather], request).await;
        assert_eq!(body["tool_choice"], expected);
    }
    let request = Request::new("claude-test")
        .user("Hi")
        .parallel_tool_calls(false);
    let body = sent("one_call", toolkit![get_weather], request).await;
    assert_eq!(
        body["tool_choice"],
        json!({"type": "auto", "disable_parallel_tool_use": true})
    );
    let body = sent(
        "no_tools",
        Toolkit::new(),
        Request::new("claude-test")
            .user("Hi")
            .parallel_tool_calls(true),
    )
    .await;
    assert_eq!(
        body.get("tool_choice"),
        None,
        "what is the default anyway is not said"
    );
}

#[tokio::test]
async fn options_replace_and_remove_fields() {
    let request = Request::new("claude-test")
        .max_tokens(100)
        .system("Be brief.")
        .user("Hi")
        .option("max_tokens", 5)
        .option("system", Value::Null)
        .option("thinking", json!({"type": "adaptive"}));
    let body = sent("options", Toolkit::new(), request).await;
    assert_eq!(body["max_tokens"], 5);
    assert_eq!(body.get("system"), None);
    assert_eq!(body["thinking"], json!({"type": "adaptive"}));
}

#[tokio::test]
async fn options_that_haft_itself_sends_are_an_error() {
    let server = Server::start(vec![done()]).await;
    for key in ["messages", "stream"] {
        let request = Request::new("claude-test").user("Hi").option(key, true);
        let error = Runner::new(anthropic(&server), Toolkit::new(), request)
            .next_message()
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().contains(&format!("`{key}`")), "{error}");
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_request_without_a_message_is_an_error() {
    let server = Server::start(vec![done()]).await;
    for request in [Request::new("m"), Request::new("m").user("")] {
        let error = Runner::new(anthropic(&server), Toolkit::new(), request)
            .next_message()
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the request has no message in which something is said; add one with `user`"
        );
    }
    assert!(server.requests().is_empty());
}

// T7: each key that goes out.
#[tokio::test]
async fn definitions_have_their_options() {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let tool =
        FunctionTool::from_schema("t", "", schema.clone(), |_: Value| async { "ok" }).unwrap();
    let tool = tool
        .strict(true)
        .option("cache_control", json!({"type": "ephemeral"}));
    let own =
        ToolDefinition::new("own", "Answered by the program.", json!({"type": "object"})).unwrap();
    let request = Request::new("claude-test").user("Hi").tool(own);
    let body = sent("definitions", Toolkit::new().with(tool).unwrap(), request).await;
    assert_eq!(
        body["tools"],
        json!([
            {"name": "t", "input_schema": schema, "strict": true, "cache_control": {"type": "ephemeral"}},
            {"name": "own", "description": "Answered by the program.", "input_schema": {"type": "object"}},
        ])
    );
}

#[tokio::test]
async fn content_of_every_kind_is_written() {
    let document = Content::document(Source::Text("Once upon a time".into()));
    let content = vec![
        Content::text("Look:"),
        Content::text(""),
        Content::image("image/png", "iVBORw0KGgo="),
        Content::image_url("https://example.com/cat.png"),
        document,
        Content::search_result("https://example.com", "Cats", vec!["Cats purr.".into()]),
        Content::other(
            Api::ANTHROPIC_MESSAGES,
            RawJson::from(
                json!({"type": "text", "text": "own", "cache_control": {"type": "ephemeral"}}),
            ),
        ),
        Content::other(
            Api::new("another"),
            RawJson::from(json!({"type": "secret"})),
        ),
    ];
    let request = Request::new("claude-test").message(Message::new(Role::User, content));
    let body = sent("content", Toolkit::new(), request).await;
    assert_eq!(
        body["messages"],
        json!([user(&json!([
            text("Look:"),
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
            {"type": "image", "source": {"type": "url", "url": "https://example.com/cat.png"}},
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Once upon a time"}},
            {"type": "search_result", "source": "https://example.com", "title": "Cats", "content": [text("Cats purr.")]},
            {"type": "text", "text": "own", "cache_control": {"type": "ephemeral"}},
        ]))])
    );
}

#[tokio::test]
async fn a_history_of_calls_is_written() {
    let call = |id: &str, input: RawJson| ToolCall::new(id, "get_weather", input);
    let calls = [
        call("a", RawJson::from(json!({"city": "Oslo"}))),
        call("b", RawJson::parse("null").unwrap()),
        call("c", RawJson::parse("\"\"").unwrap()),
        call("d", RawJson::empty_object()),
    ];
    let results = vec![
        Content::ToolResult(ToolResult::new(
            &calls[0],
            vec![Content::text("4 °C"), Content::image("image/png", "aaaa")],
        )),
        Content::ToolResult(ToolResult::error(&calls[1], "Error: no")),
        Content::ToolResult(ToolResult::new(&calls[2], Vec::new())),
        Content::ToolResult(ToolResult::new(&calls[3], vec![Content::text("")])),
    ];
    let request = Request::new("claude-test")
        .user("Weather?")
        .message(Message::new(
            Role::Assistant,
            calls.iter().cloned().map(Content::ToolCall).collect(),
        ))
        .message(Message::new(Role::User, results));
    let body = sent("history", toolkit![get_weather], request).await;
    let used = |id: &str, input: Value| json!({"type": "tool_use", "id": id, "name": "get_weather", "input": input});
    let calls = [
        used("a", json!({"city": "Oslo"})),
        used("b", json!({})),
        used("c", json!({})),
        used("d", json!({})),
    ];
    assert_eq!(
        body["messages"][1],
        json!({"role": "assistant", "content": calls})
    );
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}});
    assert_eq!(
        body["messages"][2],
        user(&json!([
            {"type": "tool_result", "tool_use_id": "a", "content": [text("4 °C"), image]},
            {"type": "tool_result", "tool_use_id": "b", "content": [text("Error: no")], "is_error": true},
            {"type": "tool_result", "tool_use_id": "c"},
            {"type": "tool_result", "tool_use_id": "d"},
        ]))
    );
}
