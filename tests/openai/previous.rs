//! Replies that are stored at OpenAI: each request sends only what is new.

use haft::openai::Responses;
use haft::serde_json::{Value, json};
use haft::{Message, Request, Runner, Toolkit, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, response, run, says, v1};

/// Tells the time.
#[tool]
fn now() -> &'static str {
    "noon"
}

fn reply(id: &str, items: &[Value]) -> ServerReply {
    let mut body = response(items);
    body["id"] = json!(id);
    ServerReply::json(200, &body)
}

fn calls() -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "now", "arguments": "{}", "status": "completed"})
}

fn runner(server: &Server) -> Runner {
    let builder = Responses::builder()
        .api_key("none")
        .base_url(v1(server))
        .max_retries(0);
    let provider = builder.previous_response_id(true).build().unwrap();
    let kit: Toolkit = toolkit![now];
    Runner::new(
        provider,
        kit,
        Request::new("gpt-5").system("Be brief.").user("Time?"),
    )
}

#[tokio::test]
async fn only_what_is_new_is_sent() {
    let replies = vec![
        reply("resp_1", &[calls()]),
        reply("resp_2", &[says("Noon.")]),
        reply("resp_3", &[says("Still.")]),
    ];
    let server = Server::start(replies).await.record_as("responses_previous");
    let mut runner = runner(&server);
    run(&mut runner, false).await;
    runner.append_messages([Message::user("And now?")]);
    run(&mut runner, false).await;
    let bodies = bodies(&server);
    assert_eq!(bodies[0]["store"], json!(true));
    assert_eq!(bodies[0].get("previous_response_id"), None);
    assert_eq!(bodies[1]["previous_response_id"], "resp_1");
    assert_eq!(
        bodies[1]["input"],
        json!([{"type": "function_call_output", "call_id": "c1", "output": "noon"}])
    );
    assert_eq!(bodies[2]["previous_response_id"], "resp_2");
    assert_eq!(
        bodies[2]["input"],
        json!([{"role": "user", "content": "And now?"}])
    );
    // The API does not carry these on.
    for body in &bodies {
        assert_eq!(body["instructions"], "Be brief.");
        assert_eq!(body["tools"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn all_is_sent_where_the_reply_is_lost_or_the_history_was_edited() {
    let lost = json!({"error": {
        "message": "Previous response with id 'resp_1' not found.", "type": "invalid_request_error",
        "param": "previous_response_id", "code": "previous_response_not_found",
    }});
    let replies = vec![
        reply("resp_1", &[calls()]),
        ServerReply::json(400, &lost),
        reply("resp_2", &[says("Noon.")]),
        reply("resp_3", &[says("Hello.")]),
    ];
    let server = Server::start(replies).await;
    let mut runner = runner(&server);
    run(&mut runner, false).await;
    runner.request_mut().messages.clear();
    runner.append_messages([Message::user("Another question.")]);
    run(&mut runner, false).await;
    let bodies = bodies(&server);
    assert_eq!(bodies[1]["previous_response_id"], "resp_1");
    for (body, items) in [(&bodies[2], 3), (&bodies[3], 1)] {
        assert_eq!(body.get("previous_response_id"), None);
        assert_eq!(body["input"].as_array().unwrap().len(), items, "{body}");
    }
}

/// Servers other than OpenAI's have no code for it.
#[tokio::test]
async fn all_is_sent_where_a_server_says_in_other_words_that_it_has_lost_the_reply() {
    for (status, message) in [
        (404, "Not Found"),
        (400, "Previous response with id 'resp_1' not found."),
        (400, "Unknown `previous_response_id`."),
    ] {
        let lost = json!({"error": {"message": message, "type": "invalid_request_error"}});
        let replies = vec![
            reply("resp_1", &[calls()]),
            ServerReply::json(status, &lost),
            reply("resp_2", &[says("Noon.")]),
        ];
        let server = Server::start(replies).await;
        run(&mut runner(&server), false).await;
        let bodies = bodies(&server);
        assert_eq!(bodies[1]["previous_response_id"], "resp_1");
        assert_eq!(bodies[2].get("previous_response_id"), None, "{message}");
        assert_eq!(bodies[2]["input"].as_array().unwrap().len(), 3);
    }
}

#[tokio::test]
async fn what_is_not_to_be_stored_cannot_be_gone_on_behind() {
    let server = Server::start(vec![]).await;
    let mut runner = runner(&server);
    runner
        .request_mut()
        .options
        .insert("store".to_owned(), json!(false));
    let error = runner.run_to_completion().await.unwrap_err();
    assert!(error.to_string().contains("`store` is false"), "{error}");
    assert!(
        bodies(&server).is_empty(),
        "it is told before anything is sent"
    );
}
