//! How the two providers are set up, and what they send with each request.

use haft::openai::{Chat, Responses, Server as ChatServer};
use haft::serde_json::{Value, json};
use haft::{Provider, Request, Runner, ToolChoice, Toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{Said, Speaks, bodies, completion, response, says, v1};

fn chat_reply() -> ServerReply {
    ServerReply::json(
        200,
        &completion(&json!({"role": "assistant", "content": "Hi."})),
    )
}

fn responses_reply() -> ServerReply {
    ServerReply::json(200, &response(&[says("Hi.")]))
}

async fn ask(provider: impl Provider + 'static, request: Request) {
    Runner::new(provider, Toolkit::new(), request)
        .run_to_completion()
        .await
        .unwrap();
}

#[tokio::test]
async fn the_key_and_whose_it_is_are_headers() {
    let server = Server::start(vec![responses_reply(), chat_reply()]).await;
    let gpt = Responses::builder()
        .api_key(" key\n")
        .organization("org")
        .project("proj");
    let gpt = gpt
        .header("x-team", "a")
        .base_url(v1(&server))
        .build()
        .unwrap();
    ask(gpt, Request::new("m").user("Hi")).await;
    // A server on this machine needs no key.
    let local = Chat::builder().base_url(v1(&server)).build().unwrap();
    ask(local, Request::new("m").user("Hi")).await;
    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/responses");
    assert_eq!(requests[0].header("authorization"), Some("Bearer key"));
    assert_eq!(requests[0].header("openai-organization"), Some("org"));
    assert_eq!(requests[0].header("openai-project"), Some("proj"));
    assert_eq!(requests[0].header("x-team"), Some("a"));
    assert_eq!(requests[1].path, "/v1/chat/completions");
    assert_eq!(requests[1].header("authorization"), None);
}

#[test]
fn what_cannot_work_is_told_when_the_provider_is_built() {
    let told = [
        Responses::builder().build().unwrap_err(),
        Chat::builder().api_key(" ").build().unwrap_err(),
        Chat::builder()
            .base_url("https://API.openai.com:443/v1/")
            .build()
            .unwrap_err(),
        Responses::builder()
            .base_url("https://eu.api.openai.com/v1")
            .build()
            .unwrap_err(),
    ];
    for error in told {
        assert!(
            error
                .to_string()
                .starts_with("OpenAI needs a key: give `api_key`"),
            "{error}"
        );
    }
    let headed = Chat::builder().header("Authorization", "Bearer a-key");
    headed.build().unwrap();
    let error = Chat::builder()
        .base_url("http://127.0.0.1/v1/chat/completions")
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the base URL ends in `/chat/completions`, which haft adds itself; leave it out"
    );
    let built = Responses::builder()
        .api_key("a-secret-key")
        .build()
        .unwrap();
    let builder = Chat::builder()
        .api_key("a-secret-key")
        .base_url("http://u:a-secret-key@h/v1");
    for printed in [
        format!("{built:?}"),
        format!("{builder:?}"),
        format!("{:?}", builder.build().unwrap()),
    ] {
        assert!(!printed.contains("a-secret-key"), "{printed}");
    }
}

#[tokio::test]
async fn nothing_is_stored_and_reasoning_comes_along() {
    for (model, include) in [
        ("gpt-5", json!(["reasoning.encrypted_content"])),
        ("gpt-4o", Value::Null),
    ] {
        let server = Server::start(vec![responses_reply()])
            .await
            .record_as("responses_stateless");
        ask(
            Speaks::Responses.provider(&server),
            Request::new(model).user("Hi"),
        )
        .await;
        let body = &bodies(&server)[0];
        assert_eq!(body["store"], json!(false));
        assert_eq!(
            body.get("include").cloned().unwrap_or_default(),
            include,
            "{model}"
        );
    }
}

#[tokio::test]
async fn the_most_tokens_have_the_name_that_the_server_knows() {
    for (of, key) in [
        (ChatServer::OpenAi, "max_completion_tokens"),
        (ChatServer::Mistral, "max_tokens"),
        (ChatServer::Other, "max_tokens"),
    ] {
        let server = Server::start(vec![chat_reply()]).await;
        let provider = crate::answers::chat(&server, of);
        ask(provider, Request::new("m").max_tokens(9).user("Hi")).await;
        let body = &bodies(&server)[0];
        assert_eq!(body[key], json!(9), "{of:?}");
        assert_eq!(
            body.as_object()
                .unwrap()
                .keys()
                .filter(|key| key.starts_with("max"))
                .count(),
            1
        );
    }
    let server = Server::start(vec![responses_reply()]).await;
    ask(
        Speaks::Responses.provider(&server),
        Request::new("m").max_tokens(99).user("Hi"),
    )
    .await;
    assert_eq!(bodies(&server)[0]["max_output_tokens"], json!(99));
}

#[tokio::test]
async fn instructions_and_stops_stand_where_the_api_has_them() {
    let request = || {
        Request::new("m")
            .system("Be brief.")
            .system("Be kind.")
            .user("Hi")
    };
    let server = Server::start(vec![responses_reply()]).await;
    ask(Speaks::Responses.provider(&server), request()).await;
    assert_eq!(bodies(&server)[0]["instructions"], "Be brief.\n\nBe kind.");
    let server = Server::start(vec![chat_reply()])
        .await
        .record_as("chat_system");
    let with_stops = request().stop_sequences(["END"]).parallel_tool_calls(false);
    ask(
        Speaks::Chat.provider(&server),
        with_stops.option("parallel_tool_calls", Value::Null),
    )
    .await;
    let body = &bodies(&server)[0];
    assert_eq!(
        body["messages"][0],
        json!({"role": "system", "content": "Be brief.\n\nBe kind."})
    );
    assert_eq!(body["stop"], json!(["END"]));
    assert_eq!(
        body.get("parallel_tool_calls"),
        None,
        "null keeps a field out"
    );
    let server = Server::start(vec![]).await;
    let mut runner = Runner::new(
        Speaks::Responses.provider(&server),
        Toolkit::new(),
        request().stop_sequences(["END"]),
    );
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the Responses API has no stop sequences; take them out, or use `openai::Chat`"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_stream_is_asked_for_its_tokens_where_the_server_knows_that() {
    for (of, options) in [
        (ChatServer::Other, json!({"include_usage": true})),
        (ChatServer::Mistral, Value::Null),
    ] {
        let server = Server::start(vec![chat_reply()]).await;
        let provider = crate::answers::chat(&server, of);
        let mut runner = Runner::new(provider, Toolkit::new(), Request::new("m").user("Hi"));
        crate::answers::run(&mut runner, true).await;
        let body = &bodies(&server)[0];
        assert_eq!(body["stream"], json!(true));
        assert_eq!(
            body.get("stream_options").cloned().unwrap_or_default(),
            options,
            "{of:?}"
        );
    }
}

#[tokio::test]
async fn what_passes_is_tried_again_and_an_empty_account_is_not() {
    let error = |code: &str| {
        let body = json!({"error": {"message": "m", "type": code, "param": null, "code": code}});
        ServerReply::json(429, &body).header("retry-after-ms", "1")
    };
    for (code, requests) in [("rate_limit_exceeded", 2), ("insufficient_quota", 1)] {
        let server = Server::start(vec![error(code), responses_reply()]).await;
        let builder = Responses::builder().api_key("none").base_url(v1(&server));
        let gpt = builder.build().unwrap();
        let mut runner = Runner::new(gpt, Toolkit::new(), Request::new("m").user("Hi"));
        let ended = runner.run_to_completion().await;
        assert_eq!(ended.is_ok(), requests == 2, "{code}");
        assert_eq!(server.requests().len(), requests, "{code}");
        if let Err(error) = ended {
            assert_eq!(error.code(), Some(code));
            assert_eq!(error.provider_message(), Some("m"));
            assert_eq!(
                error.to_string(),
                "the server answered 429 Too Many Requests, insufficient_quota: m"
            );
        }
    }
}

/// Search.
#[haft::tool]
async fn search(query: String) -> String {
    query
}

#[tokio::test]
async fn a_choice_is_of_the_tools_that_are_offered() {
    for api in Speaks::ALL {
        let last = Said {
            text: Some("Hi."),
            ..Said::default()
        };
        let server = Server::start(vec![ServerReply::json(200, &api.answer(&last))]).await;
        // No API takes a choice where there is nothing to choose.
        let request = Request::new("m").user("Hi").parallel_tool_calls(false);
        ask(api.provider(&server), request.tool_choice(ToolChoice::Auto)).await;
        let body = &bodies(&server)[0];
        assert!(body.get("tool_choice").is_none(), "{api}: {body}");
        assert!(body.get("parallel_tool_calls").is_none(), "{api}: {body}");

        let server = Server::start(vec![]).await;
        let kit: Toolkit = haft::toolkit![search];
        let request = Request::new("m").user("Hi");
        let request = request.tool_choice(ToolChoice::Tool("lookup".to_owned()));
        let mut runner = Runner::new(api.provider(&server), kit, request);
        let error = runner.run_to_completion().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the tool choice names `lookup`, which is not among the tools that are offered: `search`",
            "{api}"
        );
    }
}
