//! Bodies that were read, and tools that are strict.

use haft::anthropic::Anthropic;
use haft::serde_json::{Value, json};
use haft::{Request, Runner, ToolChoice, tool, toolkit};
use haft_tests::provider::anthropic;
use haft_tests::server::Server;

use crate::{done, get_weather, sent, text, weather};

#[tokio::test]
async fn a_body_that_was_read_goes_out_as_it_came() {
    let body = json!({
        "model": "claude-test",
        "max_tokens": 100,
        "stream": false,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}, text("Really.")],
        "tool_choice": {"type": "tool", "name": "get_weather", "disable_parallel_tool_use": true},
        "stop_sequences": ["STOP"],
        "thinking": {"type": "adaptive"},
        "metadata": null,
        "tools": [
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 2},
            {"name": "get_weather", "description": "Held for the toolkit's.", "input_schema": {"type": "object"}},
            {"name": "other", "description": "", "input_schema": {"type": "object"}, "defer_loading": false},
        ],
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "c2ln"}, text("Hello.")]},
            {"role": "user", "content": [{"type": "text", "text": "Look", "cache_control": {"type": "ephemeral"}}]},
        ],
    });
    let server = Server::start(vec![done()]).await.record_as("body");
    let provider = anthropic(&server);
    let request = Request::from_body(&provider, body.clone()).unwrap();
    assert_eq!(
        (request.max_tokens, request.parallel_tool_calls),
        (Some(100), Some(false))
    );
    assert_eq!(
        request.tool_choice,
        Some(ToolChoice::Tool("get_weather".into()))
    );
    assert_eq!(request.messages[1].text(), "Hello.");
    Runner::new(provider, toolkit![get_weather], request)
        .run_to_completion()
        .await
        .unwrap();
    let arrived = server.requests()[0].json().unwrap();
    let mut expected = body;
    let fields = expected.as_object_mut().unwrap();
    fields.remove("stream");
    fields.remove("metadata");
    expected["messages"][0]["content"] = json!([text("Hi")]);
    expected["tools"][1] = weather();
    assert_eq!(arrived, expected);
    assert_eq!(
        arrived["tools"][1]["description"], "Get the current weather for a city.",
        "in its place"
    );
}

#[test]
fn what_is_no_body_is_refused() {
    let provider = Anthropic::builder().api_key("none").build().unwrap();
    let refused = |body: Value| Request::from_body(&provider, body).unwrap_err().to_string();
    assert_eq!(
        refused(json!([])),
        "the body of a request must be a JSON object"
    );
    assert_eq!(refused(json!({"model": "m"})), "the body has no `messages`");
    assert!(refused(json!({"model": 3, "messages": []})).starts_with("`model` in the body: "));
    let with = |message: Value| refused(json!({"model": "m", "messages": [message]}));
    assert_eq!(
        with(json!({"role": "robot", "content": "Hi"})),
        "messages[0]: `robot` is no role"
    );
    assert_eq!(
        with(json!({"role": "user", "content": [{"type": "text"}]})),
        "messages[0]: content[0]: a `text` block without `text`"
    );
    assert!(with(json!({"role": "user"})).starts_with("messages[0]: missing field `content`"));
}

#[test]
fn a_model_without_an_api_reads_no_body() {
    let error = Request::from_body(&haft::testing::TestModel::new(), json!({})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a provider of the API `testing` reads no request bodies"
    );
}

/// Roll dice.
#[tool(strict)]
async fn roll(#[arg(min = 1, max = 10)] dice: u8, sides: Option<u32>) -> String {
    format!("{dice}d{}", sides.unwrap_or(6))
}

/// Keep whatever comes.
#[tool(strict)]
async fn keep(notes: std::collections::BTreeMap<String, String>) -> usize {
    notes.len()
}

#[tokio::test]
async fn a_strict_tool_is_sent_as_its_schema_can_be_kept_to() {
    let body = sent(
        "strict_tool",
        toolkit![roll],
        Request::new("m").user("Roll."),
    )
    .await;
    assert_eq!(
        body["tools"],
        json!([{
            "name": "roll",
            "description": "Roll dice.",
            "strict": true,
            "input_schema": {
                "type": "object",
                "properties": {
                    "dice": {"type": "integer", "description": "At least 1, at most 10."},
                    "sides": {"type": "integer", "description": "At least 0."},
                },
                "required": ["dice"],
                "additionalProperties": false,
            },
        }])
    );
}

#[tokio::test]
async fn a_strict_tool_that_cannot_be_is_told_before_anything_is_sent() {
    let server = Server::start(vec![done()]).await;
    let request = Request::new("m").user("Keep it.");
    let mut runner = Runner::new(anthropic(&server), toolkit![keep], request);
    let error = runner.run_to_completion().await.unwrap_err();
    assert!(error.to_string().contains("tool `keep`"), "{error}");
    assert!(error.to_string().contains("$.properties.notes"), "{error}");
    assert_eq!(server.requests().len(), 0);
}
