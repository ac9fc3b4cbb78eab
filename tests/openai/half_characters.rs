//! Half a character, which models write: the other half of a pair of surrogates is missing. No string with one can be
//! read, and no API takes one.

use haft::serde_json::{Value, json};
use haft::{Request, Runner, Toolkit, tool, toolkit};
use haft_tests::message_stream::{events, frames};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{Said, Speaks, run};

/// Say it again.
#[tool]
async fn say(words: String) -> String {
    words
}

/// With half a character wherever the mark is.
fn halved(text: &str) -> String {
    text.replace('\u{e000}', "\\ud83d")
}

/// A stream of what was said.
fn stream(api: Speaks, said: &Said<'_>) -> String {
    let answer = api.answer(said);
    let events = match api {
        Speaks::Anthropic => return frames(&events(&answer).unwrap()),
        Speaks::Responses => vec![
            json!({"type": "response.created", "response": {"id": "r", "output": []}}),
            json!({"type": "response.completed", "response": answer}),
        ],
        Speaks::Chat => {
            let mut choice = answer["choices"][0].clone();
            choice["delta"] = choice["message"].take();
            let calls = choice["delta"]["tool_calls"].as_array_mut();
            for (at, call) in calls.into_iter().flatten().enumerate() {
                call["index"] = at.into();
            }
            vec![json!({"id": "c", "choices": [choice]})]
        }
    };
    let frame = |event: &Value| format!("data: {event}\n\n");
    events.iter().map(frame).collect()
}

#[tokio::test]
async fn nothing_is_lost_but_the_half() {
    let calls = [("c1", "say", json!({"words": "a \u{e000} b"}))];
    let first = Said {
        thought: None,
        text: Some("x \u{e000} y"),
        calls: &calls,
    };
    let last = Said {
        text: Some("End \u{e000}."),
        ..Said::default()
    };
    for api in Speaks::ALL {
        for is_streamed in [false, true] {
            let replies = [first, last].map(|said| {
                if is_streamed {
                    ServerReply::sse(halved(&stream(api, &said)))
                } else {
                    let body = halved(&api.answer(&said).to_string());
                    ServerReply::raw(200, "application/json", body)
                }
            });
            let server = Server::start(replies.to_vec()).await;
            let kit: Toolkit = toolkit![say];
            let request = Request::new("m").user("Go");
            let mut runner = Runner::new(api.provider(&server), kit, request);
            run(&mut runner, is_streamed).await;
            let messages = runner.messages();
            assert_eq!(messages[1].text(), "x \u{fffd} y", "{api} {is_streamed}");
            let result = messages[2].tool_results().next().unwrap();
            assert_eq!(result.text(), "a \u{fffd} b", "{api} {is_streamed}");
            assert_eq!(messages[3].text(), "End \u{fffd}.", "{api} {is_streamed}");
        }
    }
}
