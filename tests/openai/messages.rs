//! What a user says in both APIs: texts, pictures, documents, and what was found.

use haft::serde_json::{Value, json};
use haft::{Content, ErrorKind, Message, Request, Role, Runner, Source, Toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{Speaks, bodies, completion, response, says};

fn reply(speaks: Speaks) -> ServerReply {
    ServerReply::json(
        200,
        &match speaks {
            Speaks::Chat => completion(&json!({"role": "assistant", "content": "Hi."})),
            _ => response(&[says("Hi.")]),
        },
    )
}

/// The content of the user's message as it is sent.
async fn sent(speaks: Speaks, content: Vec<Content>) -> Value {
    let server = Server::start(vec![reply(speaks)]).await;
    let server = server.record_as(match speaks {
        Speaks::Chat => "chat_content",
        _ => "responses_content",
    });
    let request = Request::new("m").message(Message::new(Role::User, content));
    let mut runner = Runner::new(speaks.provider(&server), Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    let body = &bodies(&server)[0];
    let messages = if speaks == Speaks::Chat {
        &body["messages"]
    } else {
        &body["input"]
    };
    messages[0]["content"].clone()
}

fn pdf(title: Option<&str>) -> Content {
    let mut block = Content::document(Source::Base64 {
        media_type: "application/pdf".to_owned(),
        data: "JVBERi0xLjQK".to_owned(),
    });
    if let Content::Document(document) = &mut block {
        document.title = title.map(str::to_owned);
    }
    block
}

#[tokio::test]
async fn each_kind_of_content_has_its_part() {
    let text = |words: &str| Content::text(words);
    let url = "https://example.com/cat.png";
    let found = Content::search_result("https://example.com", "Leave", vec!["30 days.".to_owned()]);
    let data = "data:application/pdf;base64,JVBERi0xLjQK";
    let cases = [
        (vec![text("Hi")], json!("Hi"), json!("Hi")),
        (
            vec![
                text("Which?"),
                Content::image_url(url).option("detail", "low"),
            ],
            json!([{"type": "text", "text": "Which?"}, {"type": "image_url", "image_url": {"url": url, "detail": "low"}}]),
            json!([{"type": "input_text", "text": "Which?"}, {"type": "input_image", "image_url": url, "detail": "low"}]),
        ),
        (
            vec![pdf(None), pdf(Some("report.pdf"))],
            json!([
                {"type": "file", "file": {"file_data": data, "filename": "document.pdf"}},
                {"type": "file", "file": {"file_data": data, "filename": "report.pdf"}},
            ]),
            json!([
                {"type": "input_file", "file_data": data, "filename": "document.pdf"},
                {"type": "input_file", "file_data": data, "filename": "report.pdf"},
            ]),
        ),
        (
            vec![
                Content::document(Source::File("file_1".to_owned())),
                text("Sum up."),
            ],
            json!([{"type": "file", "file": {"file_id": "file_1"}}, {"type": "text", "text": "Sum up."}]),
            json!([{"type": "input_file", "file_id": "file_1"}, {"type": "input_text", "text": "Sum up."}]),
        ),
        (
            vec![found],
            json!("Leave (https://example.com)\n\n30 days."),
            json!("Leave (https://example.com)\n\n30 days."),
        ),
        (
            vec![Content::document(Source::Text("All is well.".to_owned()))],
            json!("All is well."),
            json!("All is well."),
        ),
    ];
    for (content, chat, responses) in cases {
        assert_eq!(sent(Speaks::Chat, content.clone()).await, chat);
        assert_eq!(sent(Speaks::Responses, content).await, responses);
    }
}

#[tokio::test]
async fn what_an_api_cannot_take_is_told_before_anything_is_sent() {
    let server = Server::start(vec![]).await;
    let by_address = Content::document(Source::Url("https://example.com/a.pdf".to_owned()));
    let request = Request::new("m").message(Message::new(Role::User, vec![by_address]));
    let mut runner = Runner::new(Speaks::Chat.provider(&server), Toolkit::new(), request);
    let error = runner.run_to_completion().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert_eq!(
        error.to_string(),
        "messages[0]: this API takes no document by its address; give its bytes in base64, or upload it and give the file's id"
    );
    assert!(server.requests().is_empty());
}

/// Requests for approval and their answers are items, and no parts of a message.
#[tokio::test]
async fn an_approval_of_a_servers_call_is_answered_by_an_item() {
    let asks = json!({
        "type": "mcp_approval_request", "id": "mcpr_1", "server_label": "docs", "name": "search", "arguments": "{}",
    });
    let replies = [vec![asks], vec![says("Found.")]];
    let replies = replies.map(|items| ServerReply::json(200, &response(&items)));
    let server = Server::start(replies.to_vec())
        .await
        .record_as("responses_approval");
    let mut runner = Runner::new(
        Speaks::Responses.provider(&server),
        Toolkit::new(),
        Request::new("m").user("Find it."),
    );
    let end = runner.run_to_completion().await.unwrap();
    let answers =
        haft::openai::tools::answer_mcp_approval(&end.reply, |request| request["name"] == "search");
    assert_eq!(answers.len(), 1);
    runner.append_messages([Message::new(Role::User, answers)]);
    runner.run_to_completion().await.unwrap();
    assert_eq!(
        bodies(&server)[1]["input"][2],
        json!({"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": true})
    );
}

#[tokio::test]
async fn a_result_may_hold_pictures_in_responses() {
    use haft::{ToolOutput, tool, toolkit};

    /// Draw.
    #[tool]
    fn draw() -> ToolOutput {
        ToolOutput::new([
            Content::text("A map:"),
            Content::image("image/png", "iVBORw0KGgo="),
        ])
    }

    let call = json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "draw", "arguments": "{}", "status": "completed"});
    let replies = [vec![call], vec![says("Nice.")]];
    let replies = replies.map(|items| ServerReply::json(200, &response(&items)));
    let server = Server::start(replies.to_vec())
        .await
        .record_as("responses_images");
    let kit: Toolkit = toolkit![draw];
    let mut runner = Runner::new(
        Speaks::Responses.provider(&server),
        kit,
        Request::new("m").user("Go"),
    );
    runner.run_to_completion().await.unwrap();
    assert_eq!(
        bodies(&server)[1]["input"][2]["output"],
        json!([
            {"type": "input_text", "text": "A map:"},
            {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw0KGgo="},
        ])
    );
}
