//! Structured output over the wire: what is sent for a type, what cannot be sent, and the reply read back.
//!
//! The bodies are also written to `HAFT_BODIES`, for a check against the official types; `.ci/run` does that.
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::collections::BTreeMap;

use haft::serde_json::{Value, json};
use haft::{
    Error, ErrorKind, Message, OutputSchema, Request, Runner, Toolkit, argument, tool, toolkit,
};
use haft_tests::provider::anthropic;
use haft_tests::server::{Server, ServerReply};

/// A person who wrote.
#[argument]
#[derive(Debug, PartialEq)]
struct Contact {
    name: String,
    #[schemars(range(max = 120))]
    age: Option<u8>,
    topics: Vec<Topic>,
}

#[argument]
#[derive(Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Topic {
    Order,
    Complaint,
}

/// The neutral schema as Anthropic's API takes it.
fn contact() -> Value {
    json!({
        "type": "object",
        "description": "A person who wrote.",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer", "description": "At least 0, at most 120."},
            "topics": {"type": "array", "items": {"type": "string", "enum": ["order", "complaint"]}},
        },
        "required": ["name", "topics"],
        "additionalProperties": false,
    })
}

fn format(schema: &Value) -> Value {
    json!({"type": "json_schema", "schema": schema})
}

fn says(text: &str) -> ServerReply {
    ServerReply::json(
        200,
        &json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1}
        }),
    )
}

fn request() -> Request {
    Request::new("claude-test").user("Call me back. Ada, about my order")
}

/// The body of the one request that is sent.
async fn sent(test: &str, kit: Toolkit, request: Request) -> Value {
    let server = Server::start(vec![says("{}")]).await.record_as(test);
    Runner::new(anthropic(&server), kit, request)
        .run_to_completion()
        .await
        .unwrap();
    server.requests()[0].json().unwrap()
}

/// Why nothing is sent.
async fn refused(kit: Toolkit, request: Request) -> Error {
    let server = Server::start(vec![]).await;
    let mut runner = Runner::new(anthropic(&server), kit, request);
    let error = runner.run_to_completion().await.unwrap_err();
    assert!(server.requests().is_empty());
    error
}

#[tokio::test]
async fn a_type_is_sent_narrowed_and_its_value_read() {
    let answer = r#"{"name": "Ada", "topics": ["order"]}"#;
    let server = Server::start(vec![says(answer)]).await.record_as("output");
    let end = Runner::new(
        anthropic(&server),
        Toolkit::new(),
        request().output::<Contact>(),
    )
    .run_to_completion()
    .await
    .unwrap();
    let body = server.requests()[0].json().unwrap();
    assert_eq!(body["output_config"], json!({"format": format(&contact())}));
    let read: Contact = end.reply.parse().unwrap();
    let expected = Contact {
        name: "Ada".to_owned(),
        age: None,
        topics: vec![Topic::Order],
    };
    assert_eq!(read, expected);
}

#[tokio::test]
async fn a_list_and_an_enum_are_outputs_too() {
    let topic = json!({"type": "string", "enum": ["order", "complaint"]});
    let body = sent("output_enum", Toolkit::new(), request().output::<Topic>()).await;
    assert_eq!(body["output_config"]["format"], format(&topic));
    let body = sent(
        "output_list",
        Toolkit::new(),
        request().output::<Vec<Topic>>(),
    )
    .await;
    let list = json!({"type": "array", "items": topic});
    assert_eq!(body["output_config"]["format"], format(&list));
    let body = sent("output_union", Toolkit::new(), request().output::<Kind>()).await;
    let union = &body["output_config"]["format"]["schema"]["anyOf"];
    assert_eq!(union[0]["required"], json!(["Person"]));
    assert_eq!(union[1]["additionalProperties"], false);
}

#[tokio::test]
async fn it_can_change_between_turns() {
    let server = Server::start(vec![says("{}"), says("[]"), says("Well.")])
        .await
        .record_as("output_changes");
    let first = request()
        .output::<Contact>()
        .option("output_config", json!({"effort": "low"}));
    let mut runner = Runner::new(anthropic(&server), Toolkit::new(), first);
    for output in [Some(OutputSchema::of::<Vec<Topic>>()), None] {
        runner.run_to_completion().await.unwrap();
        runner.request_mut().output = output;
        runner.append_messages([Message::user("Go on")]);
    }
    runner.run_to_completion().await.unwrap();
    let config = |at: usize| server.requests()[at].json().unwrap()["output_config"].clone();
    assert_eq!(config(0)["format"], format(&contact()));
    assert_eq!(config(1)["format"]["schema"]["type"], "array");
    assert_eq!(config(2), json!({"effort": "low"}));
}

#[tokio::test]
async fn what_the_options_say_beside_it_is_sent_too() {
    for (at, option) in [
        json!({"effort": "low"}),
        json!({"effort": "low", "format": null}),
    ]
    .into_iter()
    .enumerate()
    {
        let request = request()
            .output::<Contact>()
            .option("output_config", option)
            .option("metadata", json!({"user_id": "u1"}));
        let body = sent(&format!("output_effort_{at}"), Toolkit::new(), request).await;
        let expected = json!({"effort": "low", "format": format(&contact())});
        assert_eq!(body["output_config"], expected);
        assert_eq!(body["metadata"], json!({"user_id": "u1"}));
    }
    // As with every field, null leaves it out.
    let request = request()
        .output::<Contact>()
        .option("output_config", Value::Null);
    let body = sent("output_left_out", Toolkit::new(), request).await;
    assert_eq!(body.get("output_config"), None);
}

#[tokio::test]
async fn a_second_format_is_an_error() {
    let with = |option: Value| {
        request()
            .output::<Contact>()
            .option("output_config", option)
    };
    let error = refused(Toolkit::new(), with(json!({"format": format(&contact())}))).await;
    assert_eq!(error.kind(), ErrorKind::Request);
    assert_eq!(
        error.to_string(),
        "the option `output_config` has a `format`, and the request's `output` is sent there; \
         take it out of the option, or set `output` to `None`"
    );
    let error = refused(Toolkit::new(), with(json!("low"))).await;
    assert_eq!(
        error.to_string(),
        "the option `output_config` must be an object, since the request's `output` is sent as a part of it; \
         make it one, or take it out"
    );
}

#[tokio::test]
async fn a_body_that_was_read_keeps_its_format_as_an_option() {
    let config = json!({"effort": "high", "format": format(&contact())});
    let server = Server::start(vec![says("{}")])
        .await
        .record_as("output_read");
    let body = json!({
        "model": "claude-test", "max_tokens": 100, "output_config": config,
        "messages": [{"role": "user", "content": "Hi"}],
    });
    let provider = anthropic(&server);
    let request = Request::from_body(&provider, body).unwrap();
    assert_eq!(request.output, None);
    Runner::new(provider, Toolkit::new(), request)
        .run_to_completion()
        .await
        .unwrap();
    assert_eq!(
        server.requests()[0].json().unwrap()["output_config"],
        config
    );
}

#[argument]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Tree {
    children: Vec<Self>,
}

#[argument]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Notes {
    by_day: BTreeMap<String, String>,
    other: Value,
    numbers: BTreeMap<u8, String>,
}

/// A closed object would forbid the keys of the union.
#[argument]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Mixed {
    name: String,
    #[serde(flatten)]
    kind: Kind,
}

#[argument]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Kind {
    Person { age: u8 },
    Firm { city: String },
}

#[tokio::test]
async fn a_type_that_the_api_cannot_be_told_of_is_an_error() {
    let tree = refused(Toolkit::new(), request().output::<Tree>()).await;
    assert_eq!(tree.kind(), ErrorKind::Definition);
    assert_eq!(
        tree.to_string(),
        "output `Tree` at $.properties.children.items.properties.children.items.$ref: `#/$defs/Tree` is recursive, \
         which this API cannot be told; take a type of limited depth, or a flat list whose entries name their parents"
    );
    let notes = refused(Toolkit::new(), request().output::<Notes>()).await;
    let faults = std::error::Error::source(&notes).unwrap().to_string();
    let places: Vec<_> = faults
        .lines()
        .filter_map(|fault| fault.split(": ").next())
        .collect();
    assert_eq!(
        places,
        [
            "output `Notes` at $.properties.numbers",
            "output `Notes` at $.properties.other.type",
            "output `Notes` at $.properties.by_day.additionalProperties",
            "output `Notes` at $.properties.numbers.patternProperties",
        ],
    );
    let any = refused(Toolkit::new(), request().output::<Value>()).await;
    assert_eq!(
        any.to_string(),
        "output `AnyValue` at $.type: Field required; any JSON cannot be constrained, so name a type, or take JSON as text"
    );
    let mixed = refused(Toolkit::new(), request().output::<Mixed>()).await;
    assert_eq!(
        mixed.to_string(),
        "output `Mixed` at $.anyOf: stands beside `properties`, whose closed object has no key of it; put it under a key"
    );
}

#[argument]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Options {
    a: Option<u8>,
    b: Option<u8>,
    c: Option<u8>,
    d: Option<u8>,
    e: Option<u8>,
}

/// Take many.
#[tool(strict)]
async fn many(
    one: [Option<u8>; 2],
    a: Vec<Options>,
    b: Vec<Options>,
    c: Vec<Options>,
    d: Vec<Options>,
) -> usize {
    one.len() + a.len() + b.len() + c.len() + d.len()
}

#[tokio::test]
async fn it_counts_with_the_strict_tools() {
    let body = sent(
        "output_and_tool",
        toolkit![many],
        request().output::<Contact>(),
    )
    .await;
    assert_eq!(body["tools"][0]["strict"], true);
    let error = refused(toolkit![many], request().output::<Options>()).await;
    assert_eq!(
        error.to_string(),
        "output `Options` at $.properties.e: the strict tools and the output of the request have too many optional \
         parameters (25) over the limit of 24; make some required, or turn `strict` off for a tool"
    );
}
