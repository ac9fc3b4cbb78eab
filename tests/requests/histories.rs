//! Histories as they are sent: results, calls, reasoning, and what an API does not take.

use haft::serde_json::{Value, json};
use haft::{
    Content, ErrorKind, FunctionTool, Message, RawJson, Request, Role, Runner, ToolCall,
    ToolDefinition, ToolError, ToolOutput, ToolResult, Toolkit, repair, tool, toolkit,
};
use haft_tests::provider::anthropic;
use haft_tests::server::{Server, ServerReply};

use crate::{done, get_weather, reply, sent, text, user};

#[tokio::test]
async fn what_an_error_may_not_hold_goes_behind_the_results() {
    /// Takes a photo.
    #[tool]
    async fn photo() -> Result<String, ToolError> {
        Err(ToolError::new("blurred").with_content([Content::image("image/png", "aaaa")]))
    }
    let use_photo = |id: &str| json!({"type": "tool_use", "id": id, "name": "photo", "input": {}});
    let first = reply(&json!([use_photo("a"), use_photo("b")]), "tool_use");
    let server = Server::start(vec![first, done()])
        .await
        .record_as("error_with_image");
    let request = Request::new("claude-test").user("Photos!");
    Runner::new(anthropic(&server), toolkit![photo], request)
        .run_to_completion()
        .await
        .unwrap();
    let body = server.requests()[1].json().unwrap();
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": [text("Error: blurred")], "is_error": true});
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}});
    assert_eq!(
        body["messages"][2],
        user(&json!([result("a"), result("b"), image, image]))
    );
}

#[tokio::test]
async fn an_error_is_never_sent_without_words() {
    let call = ToolCall::new("a", "t", RawJson::empty_object());
    /// Takes a photo.
    #[tool]
    async fn photo() -> ToolOutput {
        ToolOutput::new([Content::image("image/png", "aaaa")]).as_error()
    }
    let use_photo = json!([{"type": "tool_use", "id": "a", "name": "photo", "input": {}}]);
    let server = Server::start(vec![reply(&use_photo, "tool_use"), done()])
        .await
        .record_as("error_image");
    let request = Request::new("claude-test").user("Photo!");
    Runner::new(anthropic(&server), toolkit![photo], request)
        .run_to_completion()
        .await
        .unwrap();
    let body = server.requests()[1].json().unwrap();
    let told = [text("Error: Tool 'photo' failed and gave no reason")];
    assert_eq!(body["messages"][2]["content"][0]["content"], json!(told));

    let results = vec![Content::ToolResult(ToolResult::error(&call, " "))];
    let request = Request::new("claude-test")
        .user("Hi")
        .message(Message::new(Role::Assistant, vec![Content::ToolCall(call)]))
        .message(Message::new(Role::User, results));
    let body = sent("error_blank", Toolkit::new(), request).await;
    let told = [text("Error: the tool gave no reason")];
    assert_eq!(body["messages"][2]["content"][0]["content"], json!(told));
}

#[tokio::test]
async fn an_input_that_is_no_object_goes_back_as_the_empty_one() {
    let with = |input: Value| {
        let mut call = json!({"type": "tool_use", "id": "a", "name": "get_weather", "caller": {"type": "direct"}});
        if input != json!("absent") {
            call["input"] = input;
        }
        call
    };
    for (at, input) in [Value::Null, json!("absent"), json!(""), json!([1])]
        .into_iter()
        .enumerate()
    {
        let replies = vec![reply(&json!([with(input)]), "tool_use"), done()];
        let server = Server::start(replies)
            .await
            .record_as(&format!("input_{at}"));
        let request = Request::new("claude-test").user("Hi");
        Runner::new(anthropic(&server), toolkit![get_weather], request)
            .run_to_completion()
            .await
            .unwrap();
        let body = server.requests()[1].json().unwrap();
        assert_eq!(body["messages"][1]["content"], json!([with(json!({}))]));
        assert_eq!(body["messages"][2]["content"][0]["is_error"], true);
    }
}

// RN-4, in a history.
#[tokio::test]
async fn malformed_calls_go_back_with_the_empty_input() {
    let written = [r#"{"a":1,}"#, "[1]", "", " ", "null", "{\"a\":"];
    let calls: Vec<_> = written
        .into_iter()
        .enumerate()
        .map(|(at, text)| ToolCall::from_text(format!("c{at}"), "get_weather", text))
        .collect();
    let mut results = Vec::new();
    for call in &calls {
        assert_eq!(call.input().as_str(), written[results.len()]);
        results.push(Content::ToolResult(toolkit![get_weather].run(call).await));
    }
    let content = calls.into_iter().map(Content::ToolCall).collect();
    let request = Request::new("claude-test")
        .user("Hi")
        .message(Message::new(Role::Assistant, content))
        .message(Message::new(Role::User, results));
    let body = sent("malformed", Toolkit::new(), request).await;
    for at in 0..written.len() {
        let told =
            json!({"type": "tool_use", "id": format!("c{at}"), "name": "get_weather", "input": {}});
        assert_eq!(body["messages"][1]["content"][at], told);
        assert_eq!(body["messages"][2]["content"][at]["is_error"], true);
    }
}

#[tokio::test]
async fn half_a_character_is_not_sent_back() {
    let content = r#"[
        {"type":"text","text":"\ud83d\ude00 fine"},
        {"type":"quantum_block","x":"\ud83d"},
        {"type":"tool_use","id":"1","name":"get_weather","input":{"city":"\udc00 half"}}
    ]"#;
    let body = format!(
        r#"{{"type":"message","model":"claude-test","content":{content},"stop_reason":"tool_use","usage":{{}}}}"#
    );
    let first = ServerReply::raw(200, "application/json", body);
    let server = Server::start(vec![first, done()]).await;
    let kit: Toolkit = toolkit![get_weather];
    let request = Request::new("claude-test").user("Go");
    let mut runner = Runner::new(anthropic(&server), kit, request);
    runner.run_to_completion().await.unwrap();
    // An API refuses a body with one, and would refuse each that follows.
    let sent = server.requests()[1].json().unwrap();
    let echoed = &sent["messages"][1]["content"];
    assert_eq!(echoed[0]["text"], "\u{1f600} fine");
    assert_eq!(echoed[1]["x"], "\u{fffd}");
    assert_eq!(echoed[2]["input"]["city"], "\u{fffd} half");
}

#[tokio::test]
async fn a_history_that_does_not_pair_is_refused_before_it_is_sent() {
    let server = Server::start(vec![done()]).await;
    let call = ToolCall::new("a", "get_weather", RawJson::empty_object());
    let request = Request::new("claude-test")
        .user("Hi")
        .message(Message::new(Role::Assistant, vec![Content::ToolCall(call)]))
        .user("Well?");
    let error = Runner::new(anthropic(&server), toolkit![get_weather], request)
        .next_message()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(
        error
            .to_string()
            .starts_with("messages[2] must begin with the result of the call `a`"),
        "{error}"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_history_that_was_repaired_is_sent() {
    let server = Server::start(vec![done()]).await;
    let provider = anthropic(&server);
    let found = json!({"type": "tool_result", "tool_use_id": "a", "content": [text("1")]});
    let asked = |id: &str| json!({"type": "tool_use", "id": id, "name": "look", "input": {}, "caller": "x"});
    let mut request = Request::from_body(
        &provider,
        json!({"model": "claude-test", "messages": [
            user(&json!([found])),
            {"role": "assistant", "content": [text(""), asked("a"), asked("b")]},
            user(&json!([text("Well?")])),
            {"role": "assistant", "content": [text("Hm.")]},
            user(&json!([text("Here:"), found])),
        ]}),
    )
    .unwrap();
    request.messages = repair(request.messages);
    Runner::new(provider, Toolkit::new(), request)
        .run_to_completion()
        .await
        .unwrap();
    let lost = "Error: Tool 'look' was interrupted; whether it took effect is unknown";
    let lost = json!({"type": "tool_result", "tool_use_id": "b", "content": [text(lost)], "is_error": true});
    assert_eq!(
        server.requests()[0].json().unwrap()["messages"],
        json!([
            {"role": "assistant", "content": [asked("a"), asked("b")]},
            user(&json!([found, lost, text("Well?")])),
            {"role": "assistant", "content": [text("Hm.")]},
            user(&json!([text("Here:")])),
        ])
    );
}

// RN-18, in a history.
#[tokio::test]
async fn blank_texts_are_left_out_where_nothing_else_is_said() {
    let request = Request::new("claude-test")
        .system(" ")
        .user("Hi")
        .message(Message::assistant("\n"))
        .message(Message::new(
            Role::User,
            vec![Content::text("\t"), Content::text("there")],
        ));
    let body = sent("blank", Toolkit::new(), request).await;
    assert_eq!(body.get("system"), None);
    assert_eq!(
        body["messages"],
        json!([
            user(&json!([text("Hi")])),
            user(&json!([text("\t"), text("there")]))
        ])
    );
}

#[tokio::test]
async fn reasoning_goes_back_only_to_its_model() {
    let content = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        text("Hello."),
    ]);
    let replies = vec![reply(&content, "end_turn"), done(), done(), done()];
    let server = Server::start(replies).await.record_as("models");
    let request = Request::new("claude-one").user("Hi");
    let mut runner = Runner::new(anthropic(&server), Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    for model in ["claude-one", "claude-two", "claude-one"] {
        runner.request_mut().model = model.to_owned();
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
    }
    let echoed =
        |at: usize| server.requests()[at].json().unwrap()["messages"][1]["content"].clone();
    assert_eq!((echoed(1), echoed(3)), (content.clone(), content));
    assert_eq!(echoed(2), json!([text("Hello.")]));
}

#[tokio::test]
async fn tools_without_a_name_are_no_duplicates() {
    let body = json!({
        "model": "claude-test", "max_tokens": 100, "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"type": "computer_toolset_20260801"}, {"type": "browser_toolset_20260801"}],
    });
    let server = Server::start(vec![done()]).await.record_as("toolsets");
    let provider = anthropic(&server);
    let request = Request::from_body(&provider, body.clone()).unwrap();
    Runner::new(provider, Toolkit::new(), request)
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(server.requests()[0].json().unwrap()["tools"], body["tools"]);
}

/// Ends of all kinds, each with a message after it: the histories that the API must take.
#[tokio::test]
async fn histories_after_every_end_are_valid() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": "Oslo"}});
    let said =
        |rest: &[Value]| Value::from_iter([text("Well.")].into_iter().chain(rest.iter().cloned()));
    let ends = [
        ("truncated", said(&[call("a"), call("b")]), "max_tokens"),
        (
            "context_full",
            said(&[call("a")]),
            "model_context_window_exceeded",
        ),
        ("refused", said(&[call("a")]), "refusal"),
        ("unknown", said(&[call("a"), call("b")]), "out_of_ink"),
        ("end_turn_with_calls", said(&[call("a")]), "end_turn"),
        ("empty", json!([]), "end_turn"),
        ("paused", said(&[]), "pause_turn"),
        ("calls", said(&[call("a"), call("b")]), "tool_use"),
    ];
    for (name, content, reason) in ends {
        let replies = vec![reply(&content, reason), done(), done()];
        let server = Server::start(replies)
            .await
            .record_as(&format!("end_{name}"));
        let request = Request::new("claude-test").user("Hi");
        let mut runner = Runner::new(anthropic(&server), toolkit![get_weather], request);
        runner.next_message().await.unwrap();
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
        let last = server.requests().last().unwrap().json().unwrap();
        let spoken = last["messages"]
            .as_array()
            .unwrap()
            .iter()
            .any(|message| message == &user(&json!([text("Go on")])));
        assert!(spoken, "{name}: {last:#}");
    }
}

// RN-14, and a server tool that was cut.
#[tokio::test]
async fn what_a_reply_was_cut_in_does_not_go_back() {
    let search = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    let thinking = json!({"type": "thinking", "thinking": "Hm", "signature": ""});
    for cut in [
        json!([text("Well."), search]),
        json!([text("Well."), thinking]),
        json!([text("Well."), search, thinking]),
    ] {
        let server = Server::start(vec![reply(&cut, "max_tokens"), done()])
            .await
            .record_as("cut");
        let request = Request::new("claude-test").user("Hi");
        let mut runner = Runner::new(anthropic(&server), Toolkit::new(), request);
        runner.next_message().await.unwrap();
        runner.append_messages([Message::user("Go on")]);
        runner.run_to_completion().await.unwrap();
        let body = server.requests()[1].json().unwrap();
        assert_eq!(body["messages"][1]["content"], json!([text("Well.")]));
    }
}

#[tokio::test]
async fn results_come_first_whatever_stands_before_them() {
    let call = ToolCall::new("a", "get_weather", RawJson::from(json!({"city": "Oslo"})));
    let result = Content::ToolResult(ToolResult::new(&call, vec![Content::text("4 °C")]));
    let request = Request::new("claude-test")
        .user("Hi")
        .message(Message::new(Role::Assistant, vec![Content::ToolCall(call)]))
        .message(Message::new(
            Role::User,
            vec![Content::text("Here:"), result],
        ));
    let body = sent("results_first", toolkit![get_weather], request).await;
    let kinds: Vec<_> = body["messages"][2]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| &block["type"])
        .collect();
    assert_eq!(kinds, ["tool_result", "text"]);
}

#[tokio::test]
async fn a_reply_goes_back_whole_and_every_turn_repeats_the_last_to_the_byte() {
    let content = |id: &str| {
        json!([
            {"type": "thinking", "thinking": "", "signature": "c2ln"},
            text("Let me look."),
            text(""),
            {"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": "Tokyo"}, "caller": {"type": "direct"}},
        ])
    };
    let replies = vec![
        reply(&content("t1"), "tool_use"),
        reply(&content("t2"), "tool_use"),
        done(),
    ];
    let server = Server::start(replies).await.record_as("turns");
    let mut runner = Runner::new(
        anthropic(&server),
        toolkit![get_weather],
        Request::new("claude-test").user("Hi"),
    );
    runner.run_to_completion().await.unwrap();
    let requests = server.requests();
    let second = requests[1].json().unwrap();
    let mut expected = content("t1");
    expected.as_array_mut().unwrap().remove(2);
    assert_eq!(
        second["messages"][1],
        json!({"role": "assistant", "content": expected}),
        "but for the empty text"
    );
    for pair in requests.windows(2) {
        let (earlier, later) = (&pair[0].body, &pair[1].body);
        let kept = earlier.len() - "]}".len();
        assert_eq!(
            later[..kept],
            earlier[..kept],
            "a provider's cache wants the same bytes"
        );
    }
}

#[tokio::test]
async fn a_stored_request_is_sent_as_the_same_bytes() {
    let first = r#"{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
        "content": [
            {"type": "thinking", "thinking": "", "signature": "c2ln"},
            {"type": "web_search_tool_result", "content": [{"page": 1.0, "page": 2}]},
            {"type": "tool_use", "id": "a", "name": "look", "input": {"n": 123456789012345678901234567890}}
        ],
        "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1}}"#;
    let replies = vec![
        ServerReply::raw(200, "application/json", first),
        done(),
        done(),
        done(),
    ];
    let server = Server::start(replies).await;
    let provider = anthropic(&server);
    let schema = json!({"type": "object"});
    let look = FunctionTool::from_schema("look", "", schema.clone(), |_: Value| async { "seen" });
    let body = json!({
        "model": "claude-test",
        "max_tokens": 100,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 2}],
        "messages": [{"role": "user", "content": "Hi", "clear_at": 1}],
    });
    let mut runner = Runner::new(
        provider.clone(),
        Toolkit::new().with(look.unwrap()).unwrap(),
        Request::from_body(&provider, body.clone()).unwrap(),
    );
    runner.run_to_completion().await.unwrap();
    let ask = ToolDefinition::new("ask", "Ask.", schema)
        .unwrap()
        .strict(true);
    let mut request = Request::from_body(&provider, body).unwrap().tool(ask);
    request.messages = runner.messages();
    let stored = serde_json::to_string(&request.clone().user("Go on.")).unwrap();
    for request in [
        request.user("Go on."),
        serde_json::from_str(&stored).unwrap(),
    ] {
        Runner::new(provider.clone(), Toolkit::new(), request)
            .run_to_completion()
            .await
            .unwrap();
    }
    let sent: Vec<_> = server
        .requests()
        .into_iter()
        .map(|seen| seen.body)
        .collect();
    assert_eq!(
        String::from_utf8_lossy(&sent[2]),
        String::from_utf8_lossy(&sent[3])
    );
    let text = String::from_utf8_lossy(&sent[3]).into_owned();
    for part in [
        r#"{"n": 123456789012345678901234567890}"#,
        r#"{"page": 1.0, "page": 2}"#,
        "c2ln",
        "clear_at",
    ] {
        assert!(text.contains(part), "{part}");
    }
}
