//! Runs in a thread against a server: what is sent of them, and what becomes of a thread that is lost.

use serde_json::{Value, json};

use crate::anthropic::Anthropic;
use crate::message::{Message, StopReason};
use crate::provider::anthropic::threads::Threads;
use crate::provider::test_server::{Server, answer};
use crate::request::Request;
use crate::runner::{Outcome, Runner};
use crate::tool::FunctionTool;
use crate::toolkit::Toolkit;

fn reply(id: &str, content: &Value, stop_reason: &str) -> String {
    let body = json!({
        "id": id, "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason, "usage": {"input_tokens": 1, "output_tokens": 1},
    });
    answer("200 OK", "application/json", &body.to_string())
}

fn says(id: &str, words: &str) -> String {
    reply(id, &json!([{"type": "text", "text": words}]), "end_turn")
}

fn calls(id: &str) -> String {
    let call = json!({"type": "tool_use", "id": "t1", "name": "now", "input": {}});
    reply(id, &json!([call]), "tool_use")
}

fn fails(status: &str, code: &str) -> String {
    let error =
        json!({"type": "invalid_request_error", "message": "no", "details": {"error_code": code}});
    let body = json!({"type": "error", "error": error});
    answer(status, "application/json", &body.to_string())
}

/// A run in a thread, at a server of a test.
fn runner(server: &Server) -> Runner {
    let builder = Anthropic::builder().api_key("none").base_url(&server.url);
    let mut provider = builder.build().unwrap();
    provider.threads = Threads::new(true);
    let schema = json!({"type": "object"});
    let now = FunctionTool::from_schema("now", "", schema, async |_: Value| "12:00").unwrap();
    let kit = Toolkit::new().with(now).unwrap();
    Runner::new(
        provider,
        kit,
        Request::new("m").system("Be kind.").user("Go"),
    )
}

/// What is sent, in order: the field `thread`, how many messages, and whether tools and system are there.
fn sent(server: &Server) -> Vec<(Value, usize, bool)> {
    let body = |request: String| {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        let thread = body.get("thread").cloned().unwrap_or_default();
        let is_threaded = head.contains("anthropic-beta: message-threads-2026-08-12");
        assert_eq!(is_threaded, !thread.is_null(), "{head}");
        let has_head = body.get("tools").is_some();
        assert_eq!(has_head, body.get("system").is_some());
        (thread, body["messages"].as_array().unwrap().len(), has_head)
    };
    server.requests().into_iter().map(body).collect()
}

fn create() -> Value {
    json!({"type": "create"})
}

fn go_on(id: &str) -> Value {
    json!({"type": "continue", "previous_message_id": id})
}

#[tokio::test]
async fn only_what_is_new_is_sent() {
    let server = Server::new(vec![
        calls("m1"),
        says("m2", "It is noon."),
        says("m3", "Bye"),
    ]);
    let mut runner = runner(&server);
    runner.run_to_completion().await.unwrap();
    runner.append_messages([Message::user("Thanks")]);
    runner.run_to_completion().await.unwrap();
    assert_eq!(
        sent(&server),
        [
            (create(), 1, true),
            (go_on("m1"), 1, false),
            (go_on("m2"), 1, false)
        ]
    );
}

#[tokio::test]
async fn a_pause_goes_on_without_a_message() {
    let pause = json!([{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]);
    let server = Server::new(vec![
        reply("m1", &pause, "pause_turn"),
        says("m2", "Found."),
    ]);
    runner(&server).run_to_completion().await.unwrap();
    assert_eq!(
        sent(&server),
        [(create(), 1, true), (go_on("m1"), 0, false)]
    );
}

#[tokio::test]
async fn what_the_api_cannot_go_on_with_is_sent_whole() {
    for (status, code) in [
        ("404 Not Found", "thread_not_found"),
        ("400 Bad Request", "thread_already_continued"),
        ("400 Bad Request", "thread_continue_in_flight"),
        ("400 Bad Request", "thread_fingerprint_mismatch"),
    ] {
        let server = Server::new(vec![
            calls("m1"),
            fails(status, code),
            calls("m2"),
            says("m3", "Done."),
        ]);
        let end = runner(&server).run_to_completion().await.unwrap();
        assert_eq!(end.outcome, Outcome::Completed);
        let expected = [
            (create(), 1, true),
            (go_on("m1"), 1, false),
            (create(), 3, true),
            (go_on("m2"), 1, false),
        ];
        assert_eq!(sent(&server), expected, "{code}");
    }
}

#[tokio::test]
async fn a_thread_that_is_lost_twice_is_given_up() {
    let lost = || fails("404 Not Found", "thread_not_found");
    let server = Server::new(vec![
        calls("m1"),
        lost(),
        calls("m2"),
        lost(),
        calls("m3"),
        says("m4", "Done."),
    ]);
    runner(&server).run_to_completion().await.unwrap();
    assert_eq!(
        sent(&server),
        [
            (create(), 1, true),
            (go_on("m1"), 1, false),
            (create(), 3, true),
            (go_on("m2"), 1, false),
            (Value::Null, 5, true),
            (Value::Null, 7, true),
        ]
    );
}

#[tokio::test]
async fn what_the_api_does_not_keep_goes_without() {
    let server = Server::new(vec![
        fails("400 Bad Request", "thread_unsupported_request"),
        calls("m1"),
        says("m2", "Done."),
    ]);
    runner(&server).run_to_completion().await.unwrap();
    assert_eq!(
        sent(&server),
        [
            (create(), 1, true),
            (Value::Null, 1, true),
            (Value::Null, 3, true)
        ]
    );
}

#[tokio::test]
async fn any_other_failure_is_told_and_the_thread_stays() {
    let server = Server::new(vec![
        calls("m1"),
        fails("400 Bad Request", "image_dimensions_too_large"),
        says("m2", "Done."),
    ]);
    let mut runner = runner(&server);
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.code(), Some("image_dimensions_too_large"));
    runner.run_to_completion().await.unwrap();
    let expected = [
        (create(), 1, true),
        (go_on("m1"), 1, false),
        (go_on("m1"), 1, false),
    ];
    assert_eq!(sent(&server), expected);
}

#[tokio::test]
async fn whatever_else_the_history_becomes_is_a_new_thread() {
    let text = json!([{"type": "text", "text": "No."}]);
    let server = Server::new(vec![
        says("m1", "1"),
        says("m2", "2"),
        says("m3", "3"),
        reply("m4", &text, "refusal"),
        says("m5", "5"),
    ]);
    let mut runner = runner(&server);
    runner.run_to_completion().await.unwrap();
    // Another beginning.
    runner.request_mut().messages[0] = Message::user("Went");
    runner.append_messages([Message::user("And?")]);
    runner.run_to_completion().await.unwrap();
    // Another system.
    let request = runner.request_mut();
    *request = request.clone().system("Be brief.");
    runner.append_messages([Message::user("And?")]);
    runner.run_to_completion().await.unwrap();
    // A reply that is not kept.
    runner.append_messages([Message::user("And?")]);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(*end.reply.stop_reason(), StopReason::Refusal);
    runner.append_messages([Message::user("Well?")]);
    runner.run_to_completion().await.unwrap();
    assert_eq!(
        sent(&server),
        [
            (create(), 1, true),
            (create(), 3, true),
            (create(), 5, true),
            (go_on("m3"), 1, false),
            (create(), 8, true),
        ]
    );
}

#[test]
fn other_servers_keep_no_threads() {
    let builder = Anthropic::builder().api_key("none").threads(true);
    builder.build().unwrap();
    let builder = Anthropic::builder().api_key("none").threads(true);
    let error = builder.base_url("http://127.0.0.1:1").build().unwrap_err();
    assert!(error.to_string().contains("threads"), "{error}");
}
