//! What `Anthropic` sends: each field of a request, each kind of content, and the same bytes at each turn.
//!
//! The bodies are also written to `HAFT_BODIES`, for a check against the official types; `.ci/run` does that.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod bodies;
mod fields;
mod histories;
mod options;

use haft::serde_json::{Value, json};
use haft::{Request, Runner, Toolkit, argument, tool};
use haft_tests::provider::anthropic;
use haft_tests::server::{Server, ServerReply};

fn reply(content: &Value, stop_reason: &str) -> ServerReply {
    ServerReply::json(
        200,
        &json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
            "content": content, "stop_reason": stop_reason, "usage": {"input_tokens": 1, "output_tokens": 1}
        }),
    )
}

fn done() -> ServerReply {
    reply(&json!([{"type": "text", "text": "Done."}]), "end_turn")
}

/// The body of the one request that is sent.
async fn sent(test: &str, kit: Toolkit, request: Request) -> Value {
    let server = Server::start(vec![done()]).await.record_as(test);
    Runner::new(anthropic(&server), kit, request)
        .run_to_completion()
        .await
        .unwrap();
    server.requests()[0].json().unwrap()
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn user(content: &Value) -> Value {
    json!({"role": "user", "content": content})
}

#[argument]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather(
    /// The city name.
    city: String,
    units: Option<Units>,
) -> String {
    match units {
        Some(Units::Fahrenheit) => format!("{city}: 70 °F"),
        Some(Units::Celsius) | None => format!("{city}: 21 °C"),
    }
}

/// `get_weather` as it is offered.
fn weather() -> Value {
    json!({
        "name": "get_weather",
        "description": "Get the current weather for a city.",
        "input_schema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The city name."},
                "units": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            },
            "required": ["city"],
            "additionalProperties": false,
        },
    })
}
