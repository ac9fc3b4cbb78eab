//! What is special about servers of the chat completions API, as far as it shows in what is sent.

use haft::openai::Server as ChatServer;
use haft::serde_json::{Value, json};
use haft::{Content, Request, Runner, ToolOutput, Toolkit, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, chat, completion, run};

/// Draw a map.
#[tool]
async fn draw(city: String) -> ToolOutput {
    ToolOutput::new([
        Content::text(format!("A map of {city}:")),
        Content::image("image/png", "iVBORw0KGgo="),
    ])
}

/// A turn with a call, of a server that has all sorts of fields.
fn turn(id: &str) -> Value {
    json!({
        "role": "assistant", "content": null, "refusal": null, "reasoning_content": "Hm.",
        "reasoning_details": [{"type": "reasoning.text", "text": "Hm.", "index": 0}],
        "tool_calls": [{
            "id": id, "type": "function", "index": 0, "function": {"name": "draw", "arguments": "{\"city\":\"Oslo\"}"},
            "extra_content": {"google": {"thought_signature": "sig"}},
        }],
    })
}

/// The messages of the second request of a loop.
async fn second(of: ChatServer, id: &str) -> Vec<Value> {
    let end = json!({"role": "assistant", "content": "Done."});
    let replies = [turn(id), end].map(|message| ServerReply::json(200, &completion(&message)));
    let server = Server::start(replies.to_vec()).await;
    let server = if of == ChatServer::OpenAi {
        server.record_as("chat_images")
    } else {
        server
    };
    let kit: Toolkit = toolkit![draw];
    let mut runner = Runner::new(chat(&server, of), kit, Request::new("m").user("Go"));
    run(&mut runner, false).await;
    bodies(&server)[1]["messages"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_turn_goes_back_with_what_its_server_wants() {
    for (of, reasoning, extra) in [
        (ChatServer::OpenAi, false, false),
        (ChatServer::Mistral, false, false),
        (ChatServer::Groq, false, false),
        (ChatServer::XAi, false, false),
        (ChatServer::DeepSeek, true, false),
        (ChatServer::OpenRouter, true, true),
        (ChatServer::Gemini, true, true),
        (ChatServer::LlamaCpp, true, true),
        (ChatServer::Other, true, true),
    ] {
        let messages = second(of, "call_1").await;
        let turn = &messages[1];
        assert_eq!(
            turn.get("reasoning_content").is_some(),
            reasoning,
            "{of:?}: {turn}"
        );
        assert_eq!(
            turn.get("reasoning_details").is_some(),
            // DeepSeek's API has no such field.
            reasoning && of != ChatServer::DeepSeek,
            "{of:?}: {turn}"
        );
        let call = &turn["tool_calls"][0];
        assert_eq!(call.get("extra_content").is_some(), extra, "{of:?}: {turn}");
        assert_eq!(call["function"]["arguments"], "{\"city\":\"Oslo\"}");
        assert_eq!(turn["content"], Value::Null);
    }
}

#[tokio::test]
async fn pictures_of_results_stand_where_the_server_takes_them() {
    let messages = second(ChatServer::OpenAi, "call_1").await;
    assert_eq!(
        messages[2],
        json!({"role": "tool", "tool_call_id": "call_1", "content": "A map of Oslo:"})
    );
    let picture =
        json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
    assert_eq!(
        messages[3],
        json!({"role": "user", "content": [
            {"type": "text", "text": "From the result of `draw` (call_1):"}, picture,
        ]})
    );
    let messages = second(ChatServer::LlamaCpp, "call_1").await;
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[2]["content"][1], picture);
}

#[tokio::test]
async fn ids_are_made_to_fit_where_they_must_be_short() {
    for id in ["call_with_a_long_id", "abcdefghi"] {
        let messages = second(ChatServer::Mistral, id).await;
        let sent = messages[1]["tool_calls"][0]["id"].as_str().unwrap();
        assert!(
            sent.len() == 9 && sent.chars().all(|c| c.is_ascii_alphanumeric()),
            "{sent}"
        );
        assert_eq!(messages[2]["tool_call_id"], sent);
        // Mistral takes a picture in a message of the user's alone, and the words before it are on the same call.
        assert_eq!(
            messages[3]["content"][0]["text"],
            format!("From the result of `draw` ({sent}):")
        );
        assert_eq!(sent == id, id.len() == 9, "one that fits stays");
    }
}

/// A turn of another API that has calls and, here, no reasoning.
#[tokio::test]
async fn a_server_that_wants_reasoning_gets_some_with_each_call() {
    use haft::testing::ScriptedModel;

    for (of, reasoning) in [
        (ChatServer::DeepSeek, Some(json!(""))),
        (ChatServer::Other, None),
    ] {
        let end = completion(&json!({"role": "assistant", "content": "Done."}));
        let server = Server::start(vec![ServerReply::json(200, &end)]).await;
        let kit: Toolkit = toolkit![draw];
        let model = ScriptedModel::new().calls([("draw", json!({"city": "Oslo"}))]);
        let mut runner = Runner::new(model, kit, Request::new("m").user("Go"));
        runner.next_message().await.unwrap();
        runner.set_provider(chat(&server, of));
        run(&mut runner, false).await;
        let turn = &bodies(&server)[0]["messages"][1];
        assert_eq!(turn["tool_calls"].as_array().unwrap().len(), 1);
        assert_eq!(turn.get("reasoning_content").cloned(), reasoning, "{of:?}");
    }
}

/// What one server has given, sent to another.
async fn moved(turn: &Value, to: ChatServer) -> Value {
    let end = json!({"role": "assistant", "content": "Done."});
    let first = Server::start(vec![ServerReply::json(200, &completion(turn))]).await;
    let server = Server::start(vec![ServerReply::json(200, &completion(&end))]).await;
    let kit: Toolkit = toolkit![draw];
    let from = chat(&first, ChatServer::Other);
    let mut runner = Runner::new(from, kit, Request::new("m").user("Go"));
    runner.next_message().await.unwrap();
    runner.set_provider(chat(&server, to));
    run(&mut runner, false).await;
    bodies(&server)[0]["messages"][1].clone()
}

#[tokio::test]
async fn a_turn_of_another_server_has_the_reasoning_where_it_is_wanted() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "draw", "arguments": "{\"city\":\"Oslo\"}"}});
    for (reasoning, expected) in [
        (json!({}), ""),
        (json!({"reasoning": "Hm."}), "Hm."),
        (json!({"reasoning_content": "Hm."}), "Hm."),
    ] {
        let mut turn = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        for (key, value) in reasoning.as_object().unwrap() {
            turn[key] = value.clone();
        }
        let sent = moved(&turn, ChatServer::DeepSeek).await;
        assert_eq!(sent["reasoning_content"], expected, "{sent}");
        assert!(sent.get("reasoning").is_none(), "{sent}");
    }
}

#[tokio::test]
async fn thinking_among_the_parts_goes_to_the_server_that_knows_such_parts() {
    let thinking = json!({"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]});
    let call = json!({"id": "abcdefghi", "type": "function", "function": {"name": "draw", "arguments": "{\"city\":\"Oslo\"}"}});
    for (parts, plain) in [
        (
            json!([thinking, {"type": "text", "text": "So."}]),
            json!("So."),
        ),
        (json!([thinking]), Value::Null),
    ] {
        let turn = json!({"role": "assistant", "content": parts, "tool_calls": [call]});
        let sent = moved(&turn, ChatServer::Mistral).await;
        assert_eq!(sent["content"], parts);
        for to in [ChatServer::OpenAi, ChatServer::Groq, ChatServer::LlamaCpp] {
            let sent = moved(&turn, to).await;
            assert_eq!(sent["content"], plain, "{to:?}");
            assert_eq!(sent["tool_calls"].as_array().unwrap().len(), 1);
        }
    }
}
