//! The three states of `strict`, the nulls that a strict model writes, and structured output.

use std::collections::BTreeMap;

use haft::serde_json::{Value, json};
use haft::{ErrorKind, Request, Runner, Toolkit, argument, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{Speaks, bodies, completion, response, run, says};

/// Roll dice.
#[tool]
fn roll(dice: u8, sides: Option<u32>, #[arg(default = 1)] times: u32) -> String {
    format!("{dice} {sides:?} {times}")
}

/// Keep what was said of some things.
#[tool]
async fn note(things: BTreeMap<String, String>) -> usize {
    things.len()
}

/// Add.
#[tool(strict = false)]
fn add(a: i64, b: Option<i64>) -> i64 {
    a + b.unwrap_or_default()
}

/// Subtract.
#[tool(strict)]
fn subtract(a: i64, b: Option<i64>) -> i64 {
    a - b.unwrap_or_default()
}

fn kit() -> Toolkit {
    toolkit![roll, note, add, subtract]
}

fn reply(speaks: Speaks) -> ServerReply {
    ServerReply::json(
        200,
        &match speaks {
            Speaks::Chat => completion(&json!({"role": "assistant", "content": "Hi."})),
            _ => response(&[says("Hi.")]),
        },
    )
}

async fn tools(speaks: Speaks) -> Vec<Value> {
    let server = Server::start(vec![reply(speaks)]).await;
    let server = server.record_as(match speaks {
        Speaks::Chat => "chat_strict",
        _ => "responses_strict",
    });
    let mut runner = Runner::new(
        speaks.provider(&server),
        kit(),
        Request::new("m").user("Go"),
    );
    runner.run_to_completion().await.unwrap();
    bodies(&server)[0]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn responses_asks_for_it_where_the_schema_can_be_strict() {
    let tools = tools(Speaks::Responses).await;
    let strict: Vec<_> = tools.iter().map(|tool| tool["strict"].clone()).collect();
    assert_eq!(
        strict,
        [json!(true), json!(false), json!(false), json!(true)]
    );
    let parameters = &tools[0]["parameters"];
    assert_eq!(parameters["required"], json!(["dice", "sides", "times"]));
    assert_eq!(
        parameters["properties"]["sides"]["type"],
        json!(["integer", "null"])
    );
    assert_eq!(tools[2]["parameters"]["required"], json!(["a"]));
}

#[tokio::test]
async fn chat_asks_for_it_where_the_program_does() {
    let tools = tools(Speaks::Chat).await;
    let strict: Vec<_> = tools
        .iter()
        .map(|tool| tool["function"].get("strict").cloned())
        .collect();
    assert_eq!(strict, [None, None, Some(json!(false)), Some(json!(true))]);
    assert_eq!(
        tools[0]["function"]["parameters"]["required"],
        json!(["dice"])
    );
    assert_eq!(
        tools[3]["function"]["parameters"]["required"],
        json!(["a", "b"])
    );
}

#[tokio::test]
async fn a_strict_models_nulls_are_read_as_what_was_left_out() {
    let call = json!({
        "type": "function_call", "id": "fc_1", "call_id": "c1", "name": "roll", "status": "completed",
        "arguments": "{\"dice\":2,\"sides\":null,\"times\":null}",
    });
    let replies = [vec![call], vec![says("Done.")]];
    let replies = replies.map(|items| ServerReply::json(200, &response(&items)));
    let server = Server::start(replies.to_vec()).await;
    let mut runner = Runner::new(
        Speaks::Responses.provider(&server),
        kit(),
        Request::new("m").user("Go"),
    );
    run(&mut runner, false).await;
    assert_eq!(bodies(&server)[1]["input"][2]["output"], "2 None 1");
}

#[tokio::test]
async fn asked_for_and_impossible_is_an_error() {
    /// Keep.
    #[tool(strict)]
    async fn keep(things: BTreeMap<String, String>) -> usize {
        things.len()
    }

    for speaks in [Speaks::Responses, Speaks::Chat] {
        let server = Server::start(vec![]).await;
        let kit: Toolkit = toolkit![keep];
        let mut runner = Runner::new(speaks.provider(&server), kit, Request::new("m").user("Go"));
        let error = runner.run_to_completion().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Definition, "{error}");
        assert!(
            error
                .to_string()
                .contains("tool `keep` at $.properties.things"),
            "{error}"
        );
        assert!(server.requests().is_empty());
    }
}

#[argument]
#[derive(Debug, PartialEq)]
struct Contact {
    name: String,
    phone: Option<String>,
}

#[tokio::test]
async fn output_is_asked_for_where_the_api_has_it() {
    let answer = r#"{"name":"Ada","phone":null}"#;
    let schema = |format: &Value| format["properties"]["phone"]["type"].clone();
    let contact = Contact {
        name: "Ada".to_owned(),
        phone: None,
    };
    let server = Server::start(vec![ServerReply::json(200, &response(&[says(answer)]))]).await;
    let server = server.record_as("responses_output");
    let request = Request::new("m").user("Who?").output::<Contact>();
    let request = request.option("text", json!({"verbosity": "low"}));
    let mut runner = Runner::new(Speaks::Responses.provider(&server), Toolkit::new(), request);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.reply.parse::<Contact>().unwrap(), contact);
    let text = &bodies(&server)[0]["text"];
    assert_eq!(text["verbosity"], "low");
    let format = &text["format"];
    assert_eq!(
        (&format["type"], &format["name"]),
        (&json!("json_schema"), &json!("Contact"))
    );
    assert_eq!(schema(&format["schema"]), json!(["string", "null"]));

    let body = completion(&json!({"role": "assistant", "content": answer}));
    let server = Server::start(vec![ServerReply::json(200, &body)]).await;
    let server = server.record_as("chat_output");
    let request = Request::new("m").user("Who?").output::<Contact>();
    let mut runner = Runner::new(Speaks::Chat.provider(&server), Toolkit::new(), request);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.reply.parse::<Contact>().unwrap(), contact);
    let format = &bodies(&server)[0]["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["strict"], json!(true));
    assert_eq!(
        schema(&format["json_schema"]["schema"]),
        json!(["string", "null"])
    );
}

#[tokio::test]
async fn output_and_a_format_of_the_options_are_too_much() {
    for (speaks, key, value, told) in [
        (
            Speaks::Responses,
            "text",
            json!({"format": {"type": "text"}}),
            "the option `text` has a `format`",
        ),
        (
            Speaks::Chat,
            "response_format",
            json!({"type": "json_object"}),
            "the option `response_format` is in the way of the request's `output`",
        ),
    ] {
        let server = Server::start(vec![]).await;
        let request = Request::new("m").user("Who?").output::<Contact>();
        let request = request.option(key, value);
        let mut runner = Runner::new(speaks.provider(&server), Toolkit::new(), request);
        let error = runner.run_to_completion().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().starts_with(told), "{error}");
        assert!(server.requests().is_empty());
    }
}

#[tokio::test]
async fn output_that_is_no_object_is_told() {
    for speaks in [Speaks::Responses, Speaks::Chat] {
        let server = Server::start(vec![]).await;
        let request = Request::new("m").user("Who?").output::<Vec<Contact>>();
        let mut runner = Runner::new(speaks.provider(&server), Toolkit::new(), request);
        let error = runner.run_to_completion().await.unwrap_err();
        assert!(
            error.to_string().contains(
                "at $: must be an object for OpenAI's APIs; put it into a field of a struct"
            ),
            "{error}"
        );
    }
}
