//! `Anthropic` against a server: what it sends, and what it makes of every kind of answer.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::time::{Duration, Instant};

use haft::anthropic::Anthropic;
use haft::serde_json::{Value, json};
use haft::{Error, ErrorKind, Reply, Request, Runner, Toolkit};
use haft_tests::server::{Server, ServerReply};

const KEY: &str = "sk-ant-a-secret-key";

fn hello() -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
        "content": [{"type": "text", "text": "Hello!"}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 5,
                  "output_tokens_details": {"thinking_tokens": 1}}
    })
}

fn api_error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_in_body"})
}

async fn ask(provider: Anthropic) -> Result<Reply, Error> {
    let mut runner = Runner::new(
        provider,
        Toolkit::new(),
        Request::new("claude-test").user("Hi"),
    );
    Ok(runner
        .next_message()
        .await?
        .expect("a run that has not begun asks"))
}

/// Asks a server that gives these answers.
async fn answered(replies: Vec<ServerReply>) -> (Result<Reply, Error>, Server) {
    let server = Server::start(replies).await;
    let provider = Anthropic::builder()
        .api_key(KEY)
        .base_url(server.url())
        .build()
        .unwrap();
    (ask(provider).await, server)
}

async fn failed(reply: ServerReply) -> Error {
    let (result, _) = answered(vec![reply.header("x-should-retry", "false")]).await;
    let error = result.unwrap_err();
    assert!(!error.to_string().contains('\n'), "one line: {error}");
    assert!(
        !format!("{error:?} {error}").contains(KEY),
        "no key: {error:?}"
    );
    error
}

#[tokio::test]
async fn a_reply_is_read_with_all_that_came_with_it() {
    let (reply, server) = answered(vec![
        ServerReply::json(200, &hello()).header("request-id", "req_1"),
    ])
    .await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.id(), reply.model(), reply.text().as_str()),
        ("msg_1", "claude-test", "Hello!")
    );
    assert_eq!(reply.request_id(), Some("req_1"));
    let usage = reply.usage();
    let counts = (
        usage.input,
        usage.cache_read,
        usage.cache_write,
        usage.output,
        usage.reasoning,
    );
    assert_eq!(
        counts,
        (18, 10, 5, 2, 1),
        "the input counts what the cache served"
    );
    assert_eq!(reply.raw().to_value(), hello());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_request_has_the_headers_of_the_api() {
    let server = Server::start(vec![ServerReply::json(200, &hello())])
        .await
        .record_as("headers");
    let provider = Anthropic::builder()
        .api_key(format!(" {KEY}\n"))
        .base_url(format!("{}/", server.url()))
        .beta("one-2026-01-01")
        .beta("two-2026-01-01")
        .header("x-team", "haft")
        .build()
        .unwrap();
    ask(provider).await.unwrap();
    let requests = server.requests();
    let request = requests.first().unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/messages")
    );
    assert_eq!(
        request.header("x-api-key"),
        Some(KEY),
        "white space around the key is cut"
    );
    assert_eq!(request.header("authorization"), None);
    assert_eq!(request.header("anthropic-version"), Some("2026-10-21"));
    assert_eq!(
        request.header("anthropic-beta"),
        Some("one-2026-01-01,two-2026-01-01")
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-team"), Some("haft"));
}

#[tokio::test]
async fn a_token_is_sent_as_bearer() {
    let server = Server::start(vec![ServerReply::json(200, &hello())]).await;
    let provider = Anthropic::builder()
        .auth_token("t0ken")
        .base_url(server.url())
        .api_version("2023-06-01");
    ask(provider.build().unwrap()).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests[0].header("authorization"), Some("Bearer t0ken"));
    assert_eq!(requests[0].header("x-api-key"), None);
    assert_eq!(requests[0].header("anthropic-version"), Some("2023-06-01"));
}

#[test]
fn a_builder_tells_what_cannot_work() {
    let told = |builder: haft::anthropic::Builder| {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        error.to_string()
    };
    let builder = Anthropic::builder;
    assert!(told(builder()).contains("needs a key"));
    assert!(told(builder().api_key("  ")).contains("needs a key"));
    assert!(told(builder().api_key("a").auth_token("b")).contains("given both"));
    assert!(told(builder().api_key("a").base_url("api.example.com")).contains("the base URL"));
    assert!(told(builder().api_key("a").base_url("ftp://example.com")).contains("scheme `ftp`"));
    let swapped = told(builder().api_key("a").header("a secret", "authorization"));
    assert!(
        swapped.contains("the name of a header") && !swapped.contains("secret"),
        "{swapped}"
    );
    for base_url in ["http://h/p?token=x", "http://h/p#f"] {
        assert!(told(builder().api_key("a").base_url(base_url)).contains("a query or a fragment"));
    }
    assert!(told(builder().api_key("a").base_url("http://h/v1/")).contains("ends in `/v1`"));
    let bad_key = told(builder().api_key("sk-ant-\u{7f}-secret"));
    assert!(
        bad_key.contains("x-api-key") && !bad_key.contains("secret"),
        "{bad_key}"
    );
}

#[test]
fn a_key_is_not_printed() {
    let builder = Anthropic::builder()
        .api_key(KEY)
        .base_url("http://user:password@127.0.0.1:1");
    let printed = format!("{builder:?} {:?}", builder_of(KEY));
    assert!(
        !printed.contains(KEY) && !printed.contains("password"),
        "{printed}"
    );
}

fn builder_of(key: &str) -> Anthropic {
    Anthropic::builder()
        .api_key(key)
        .base_url("http://user:password@127.0.0.1:1")
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_wrong_key_is_told_with_the_apis_words() {
    let error = failed(ServerReply::json(
        401,
        &api_error("authentication_error", "invalid x-api-key"),
    ))
    .await;
    assert_eq!(
        error.to_string(),
        "Anthropic answered 401 Unauthorized, authentication_error: invalid x-api-key (request req_in_body)"
    );
    assert_eq!(error.kind(), ErrorKind::Api);
    assert_eq!(
        (error.status(), error.request_id()),
        (Some(401), Some("req_in_body"))
    );
    assert_eq!(error.provider_message(), Some("invalid x-api-key"));
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_key_that_the_server_repeats_is_made_unreadable() {
    let error = failed(ServerReply::json(
        401,
        &api_error("authentication_error", &format!("`{KEY}` is no key")),
    ))
    .await;
    assert_eq!(error.provider_message(), Some("`***` is no key"));
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(!source.contains(KEY), "{source}");
}

#[tokio::test]
async fn an_error_page_is_told_as_one_line() {
    let page = "<html><head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>";
    let error = failed(ServerReply::raw(500, "text/html", page)).await;
    let body = format!(
        "with a body that is not the API's (text/html, {} bytes)",
        page.len()
    );
    assert_eq!(
        error.to_string(),
        format!("Anthropic answered 500 Internal Server Error {body}")
    );
    assert_eq!(error.provider_message(), None);
    assert!(
        std::error::Error::source(&error)
            .unwrap()
            .to_string()
            .contains("nginx"),
        "the source has the rest"
    );
}

#[tokio::test]
async fn errors_of_other_servers_are_read_too() {
    let cases = [
        (
            json!({"error": {"code": 400, "message": "bad schema", "type": "invalid_request_error"}}),
            Some("bad schema"),
        ),
        (json!({"error": "no such model"}), Some("no such model")),
        (json!({"message": "slow down"}), Some("slow down")),
        (json!({"detail": "?"}), None),
        (json!([1]), None),
    ];
    for (body, message) in cases {
        let error = failed(ServerReply::json(400, &body)).await;
        assert_eq!(error.provider_message(), message, "{body}");
        assert_eq!(error.status(), Some(400));
    }
}

#[tokio::test]
async fn a_reply_that_is_not_json_is_a_protocol_error() {
    let error = failed(ServerReply::raw(200, "text/html", "<html>Welcome!</html>")).await;
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(
        error.to_string().contains("(text/html, 21 bytes)"),
        "{error}"
    );
    assert!(
        error.to_string().contains("is the base URL right?"),
        "{error}"
    );
}

#[tokio::test]
async fn a_reply_that_breaks_the_protocol_is_an_error() {
    let with = |content: Value| json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let cases = [
        (
            json!({"type": "message", "stop_reason": "end_turn"}),
            "the reply has no `content`",
        ),
        (with(json!(null)), "the reply has no `content`"),
        (with(json!("text")), "`content` is no list of blocks"),
        (
            with(json!([{"text": "no type"}])),
            "content[0]: a block without a `type`",
        ),
        (
            with(json!([{"type": "text"}])),
            "content[0]: a `text` block without `text`",
        ),
        (
            with(json!([{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t1"}])),
            "content[1]: a `tool_use` block without `name`",
        ),
    ];
    for (body, expected) in cases {
        let error = failed(ServerReply::json(200, &body)).await;
        assert_eq!(error.kind(), ErrorKind::Protocol);
        assert!(error.to_string().starts_with(expected), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_by_its_address() {
    let gone = Server::start(Vec::new()).await.url().to_owned();
    let provider = Anthropic::builder()
        .api_key(KEY)
        .base_url(&gone)
        .max_retries(0)
        .build()
        .unwrap();
    let error = ask(provider).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
    assert!(error.is_retryable());
    assert!(
        error
            .to_string()
            .starts_with(&format!("{gone} cannot be reached: ")),
        "{error}"
    );
    assert!(!error.to_string().contains("/v1/messages"), "{error}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_tried_again() {
    for broken in [
        ServerReply::hang_up(),
        ServerReply::cut(hello().to_string().into_bytes()),
    ] {
        let server = Server::start(vec![broken, ServerReply::json(200, &hello())]).await;
        let provider = Anthropic::builder()
            .api_key(KEY)
            .base_url(server.url())
            .build()
            .unwrap();
        assert_eq!(ask(provider).await.unwrap().text(), "Hello!");
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn a_slow_server_is_a_timeout() {
    let server = Server::start(vec![
        ServerReply::json(200, &hello()).delay(Duration::from_secs(30)),
    ])
    .await;
    let provider = Anthropic::builder()
        .api_key(KEY)
        .base_url(server.url())
        .max_retries(0);
    let error = ask(provider.timeout(Duration::from_millis(50)).build().unwrap())
        .await
        .unwrap_err();
    assert!(error.is_timeout());
    assert_eq!(
        error.to_string(),
        format!(
            "{} did not answer within 0.05 s, the `timeout`",
            server.url()
        )
    );
}

// RN-12 a and RN-21, with a status.
#[tokio::test]
async fn busy_servers_are_asked_again_after_the_wait_that_they_want() {
    let busy = || {
        ServerReply::json(529, &api_error("overloaded_error", "Overloaded"))
            .header("retry-after-ms", "20")
    };
    let begun = Instant::now();
    let (reply, server) = answered(vec![busy(), busy(), ServerReply::json(200, &hello())]).await;
    assert_eq!(reply.unwrap().text(), "Hello!");
    assert_eq!(server.requests().len(), 3);
    assert!(
        begun.elapsed() >= Duration::from_millis(40),
        "both waits were kept"
    );
    let bodies: Vec<_> = server
        .requests()
        .into_iter()
        .map(|request| request.body)
        .collect();
    assert!(
        bodies.iter().all(|body| *body == bodies[0]),
        "the same request each time"
    );
}

#[tokio::test]
async fn retries_end() {
    let busy = ServerReply::json(529, &api_error("overloaded_error", "Overloaded"))
        .header("retry-after-ms", "1");
    let (reply, server) = answered(vec![busy.clone(), busy.clone(), busy.clone(), busy]).await;
    let error = reply.unwrap_err();
    assert_eq!((error.status(), error.is_retryable()), (Some(529), true));
    assert_eq!(server.requests().len(), 3, "two retries, as documented");
}

// RN-21, without a stream.
#[tokio::test]
async fn the_servers_word_on_retries_decides() {
    let server_error =
        ServerReply::json(500, &api_error("api_error", "broken")).header("x-should-retry", "false");
    let (_, server) = answered(vec![server_error]).await;
    assert_eq!(server.requests().len(), 1);
    let odd = ServerReply::json(400, &api_error("odd", "?"))
        .header("x-should-retry", "true")
        .header("retry-after", "0.01");
    let (reply, server) = answered(vec![odd, ServerReply::json(200, &hello())]).await;
    assert!(reply.is_ok());
    assert_eq!(server.requests().len(), 2);
}

// RN-21 and T14, without a stream.
#[tokio::test]
async fn a_wait_that_is_too_long_is_returned_and_not_made() {
    let limited = ServerReply::json(429, &api_error("rate_limit_error", "Too many"))
        .header("retry-after", "3600");
    let (reply, server) = answered(vec![limited]).await;
    let error = reply.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_does_not_take_the_key_along() {
    let other = Server::start(vec![ServerReply::json(200, &hello())]).await;
    let location = format!("{}/v1/messages", other.url());
    let moved = ServerReply::raw(307, "text/plain", "").header("location", &location);
    let (reply, _server) = answered(vec![moved]).await;
    let error = reply.unwrap_err();
    let expected = format!(
        "Anthropic answered 307 Temporary Redirect: it redirects to {location}; is the base URL right?"
    );
    assert_eq!(error.to_string(), expected);
    assert!(other.requests().is_empty(), "nothing was sent there");
}

#[tokio::test]
async fn a_key_in_a_reply_that_cannot_be_read_is_not_told() {
    let with = |content: Value| json!({"type": "message", "content": content});
    for body in [
        json!(format!("the key {KEY} is odd")),
        with(json!(KEY)),
        with(json!([KEY])),
        with(json!([{"type": "text", "text": {"key": KEY}}])),
        api_error("authentication_error", &format!("`{KEY}` is no key")),
    ] {
        let error = failed(ServerReply::json(200, &body)).await;
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(!source.contains(KEY) && source.contains("***"), "{source}");
    }
}

#[tokio::test]
async fn other_credentials_are_made_unreadable_too() {
    let body = api_error("odd", "Basic dXNlcjpwYXNzd29yZA== and dXNlcjpwYXNzd29yZA==");
    let server = Server::start(vec![ServerReply::json(403, &body)]).await;
    let builder = Anthropic::builder().api_key(KEY).base_url(server.url());
    let provider = builder
        .header("Proxy-Authorization", "Basic dXNlcjpwYXNzd29yZA==")
        .build()
        .unwrap();
    let error = ask(provider).await.unwrap_err();
    assert_eq!(error.provider_message(), Some("Basic *** and ***"));
}

#[tokio::test]
async fn an_error_with_a_status_of_success_is_an_error() {
    let error = failed(ServerReply::json(
        200,
        &api_error("overloaded_error", "Overloaded"),
    ))
    .await;
    assert_eq!(
        (error.kind(), error.provider_message()),
        (ErrorKind::Api, Some("Overloaded"))
    );
}

// RN-17, what is read.
#[tokio::test]
async fn what_is_not_known_is_kept_and_never_fails() {
    let content = json!([
        {"type": "new_kind", "text": {"a": 1}, "id": 7, "title": [], "is_error": "no"},
        {"type": "image", "source": 3},
        {"type": "text", "text": "Hello!"},
    ]);
    let body = json!({"type": "message", "content": content, "stop_reason": "new_reason", "stop_details": [1], "usage": "none"});
    let (reply, _server) = answered(vec![ServerReply::json(200, &body)]).await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.text().as_str(), reply.content().len()),
        ("Hello!", 3)
    );
    assert_eq!(reply.stop_reason().as_str(), "new_reason");
    assert!(matches!(&reply.content()[0], haft::Content::Other(other) if other.kind == "new_kind"));
}

#[tokio::test]
async fn deep_nesting_does_not_overflow_the_stack() {
    let depth = 20_000;
    let open = r#"{"type":"tool_result","tool_use_id":"t","content":["#.repeat(depth);
    let content = format!("{open}{}", "]}".repeat(depth));
    let body = format!(r#"{{"type":"message","content":[{content}],"stop_reason":"end_turn"}}"#);
    let (reply, _server) = answered(vec![ServerReply::raw(200, "application/json", body)]).await;
    assert!(reply.is_ok() || reply.is_err_and(|error| error.kind() == ErrorKind::Protocol));
}

// RN-9, what is read.
#[tokio::test]
async fn a_refusal_is_told_with_its_details() {
    let body = json!({
        "type": "message", "content": [], "stop_reason": "refusal",
        "stop_details": {"type": "refusal", "category": "cyber", "explanation": "No."}
    });
    let (reply, _server) = answered(vec![ServerReply::json(200, &body)]).await;
    let reply = reply.unwrap();
    let details = reply.refusal().unwrap();
    assert_eq!(
        (details.category.as_deref(), details.explanation.as_deref()),
        (Some("cyber"), Some("No."))
    );
}

// RN-9, with another model: what is read.
#[tokio::test]
async fn reasoning_is_read_and_calls_before_a_fallback_are_set_aside() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "t", "input": {}});
    let content = json!([
        call("before"),
        {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}},
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        call("after"),
    ]);
    let body = json!({"type": "message", "content": content, "stop_reason": "tool_use"});
    let (reply, _server) = answered(vec![ServerReply::json(200, &body)]).await;
    let reply = reply.unwrap();
    assert_eq!(
        reply.tool_calls().map(|call| call.id()).collect::<Vec<_>>(),
        ["after"]
    );
    assert!(
        matches!(&reply.content()[2], haft::Content::Thinking(thinking) if thinking.text == "Hm.")
    );
}

/// Runs in a process of its own, whose environment is set by the test below.
#[tokio::test]
#[ignore = "run by `the_environment_has_key_and_address`"]
async fn from_the_environment() {
    match Anthropic::from_env() {
        Ok(provider) => println!(
            "answered: {:?}",
            ask(provider).await.map(|reply| reply.text())
        ),
        Err(error) => println!("failed: {error}"),
    }
    println!(
        "chosen: {:?}",
        haft::provider_from_env().map(|provider| provider.api().to_string())
    );
}

#[tokio::test]
async fn the_environment_has_key_and_address() {
    let server = Server::start(vec![ServerReply::json(200, &hello())]).await;
    let url = server.url().to_owned();
    let run = |key: Option<&str>, base_url: &str| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "from_the_environment",
            "--ignored",
            "--nocapture",
        ]);
        command
            .env_remove("ANTHROPIC_API_KEY")
            .env("ANTHROPIC_BASE_URL", base_url);
        command.envs(key.map(|key| ("ANTHROPIC_API_KEY", key)));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let output = run(Some("sk-ant-from-env\n"), &url);
    assert!(output.contains("answered: Ok(\"Hello!\")"), "{output}");
    assert!(
        output.contains("chosen: Ok(\"anthropic-messages\")"),
        "{output}"
    );
    assert_eq!(
        server.requests()[0].header("x-api-key"),
        Some("sk-ant-from-env")
    );
    for nothing in [None, Some(" ")] {
        let output = run(nothing, &url);
        assert!(
            output.contains("failed: the environment has no ANTHROPIC_API_KEY"),
            "{output}"
        );
        assert!(output.contains("chosen: Ok(\"testing\")"), "{output}");
    }
    let output = run(Some("k"), "nonsense");
    assert!(
        output.contains("failed: the base URL is not a URL"),
        "{output}"
    );
}

#[tokio::test]
async fn a_reply_that_cannot_be_read_has_its_request_id() {
    let body = ServerReply::raw(200, "application/json", "{").header("request-id", "req_200");
    let error = failed(body).await;
    assert_eq!(
        (error.status(), error.request_id()),
        (Some(200), Some("req_200"))
    );
    assert!(error.to_string().ends_with("(request req_200)"), "{error}");
    assert!(
        !error.to_string().contains("base URL"),
        "JSON is what was asked for: {error}"
    );
}

// RN-29, without a stream.
#[tokio::test]
async fn two_calls_of_one_id_are_refused_before_they_run() {
    let call = json!({"type": "tool_use", "id": "a", "name": "t", "input": {}});
    let body = json!({"type": "message", "content": [call, call], "stop_reason": "tool_use"});
    let error = failed(ServerReply::json(200, &body)).await;
    assert_eq!(
        error.to_string(),
        "two calls of the reply have the same id, so their results could not be told apart; the server that speaks this API is at fault"
    );
}

#[tokio::test]
async fn calls_without_an_id_get_one_that_goes_back_with_them() {
    let calls = json!([
        {"type": "tool_use", "id": "", "name": "t", "input": {}},
        {"type": "tool_use", "name": "t", "input": {"n": 1}},
    ]);
    let body = json!({"type": "message", "content": calls, "stop_reason": "tool_use"});
    let server = Server::start(vec![
        ServerReply::json(200, &body),
        ServerReply::json(200, &hello()),
    ])
    .await;
    let provider = Anthropic::builder().api_key(KEY).base_url(server.url());
    let request = Request::new("claude-test").user("Hi");
    let mut runner = Runner::new(provider.build().unwrap(), Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    let sent = server.requests()[1].json().unwrap();
    let calls = &sent["messages"][1]["content"];
    let results = &sent["messages"][2]["content"];
    for (at, id) in ["call_0_0", "call_0_1"].into_iter().enumerate() {
        assert_eq!(calls[at]["id"], id, "{calls}");
        assert_eq!(results[at]["tool_use_id"], id, "{results}");
    }
    assert_eq!(calls[1]["input"], json!({"n": 1}));
}

#[tokio::test]
async fn long_messages_are_cut_in_the_line_and_kept_beside_it() {
    let long = "word ".repeat(20_000);
    let error = failed(ServerReply::json(400, &api_error("odd", &long))).await;
    assert!(error.to_string().len() < 1000);
    assert_eq!(error.provider_message(), Some(long.as_str()));
}
