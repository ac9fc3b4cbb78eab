//! A conversation that moves from any API to any other, between two turns.

use haft::serde_json::{self, Value, json};
use haft::{
    Content, Message, Outcome, RawJson, Request, Role, Runner, ToolCall, ToolResult, Toolkit, tool,
    toolkit,
};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{Said, Speaks, bodies, has, run};

/// Get the current weather for a city.
#[tool]
async fn get_weather(city: String) -> String {
    format!("{city}: 21 °C")
}

/// A server that thinks, says something and calls once, and then ends. Only Anthropic's streams here: a server that does
/// not is read all the same.
async fn server(speaks: Speaks, id: &'static str) -> Server {
    let reply = move |said: &Said<'_>, is_streamed: bool| {
        let answer = speaks.answer(said);
        if speaks == Speaks::Anthropic && is_streamed {
            ServerReply::message_stream(&answer)
        } else {
            ServerReply::json(200, &answer)
        }
    };
    let name = format!("{}_switching", prefix(speaks));
    let server = Server::with(move |number, seen| {
        let is_streamed = seen.json().unwrap()["stream"] == true;
        let calls = [(id, "get_weather", json!({"city": "Oslo"}))];
        let said = if number == 0 {
            Said {
                thought: Some("I think so."),
                text: Some("Let me see."),
                calls: &calls,
            }
        } else {
            Said {
                text: Some("It is warm."),
                ..Said::default()
            }
        };
        reply(&said, is_streamed)
    });
    server.await.record_as(&name)
}

/// Which types a body is of.
fn prefix(speaks: Speaks) -> &'static str {
    match speaks {
        Speaks::Anthropic => "anthropic",
        Speaks::Responses => "responses",
        Speaks::Chat => "chat",
    }
}

/// The texts and calls of a history, as each API has them: role, and what is said.
fn said(speaks: Speaks, body: &Value) -> Vec<String> {
    match speaks {
        Speaks::Anthropic => {
            let messages = body["messages"].as_array().unwrap().iter();
            let blocks = messages.flat_map(|it| it["content"].as_array().unwrap());
            blocks.filter_map(block).collect()
        }
        Speaks::Responses => body["input"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(item)
            .collect(),
        Speaks::Chat => body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(message)
            .collect(),
    }
}

fn block(block: &Value) -> Option<String> {
    Some(match block["type"].as_str()? {
        "text" => format!("says {}", block["text"].as_str()?),
        "tool_use" => format!("calls {} {} {}", block["id"], block["name"], block["input"]),
        "tool_result" => format!(
            "result {} {}",
            block["tool_use_id"], block["content"][0]["text"]
        ),
        _ => return None,
    })
}

fn item(item: &Value) -> Option<String> {
    let text = |content: &Value| {
        let part = content.as_array().map(|parts| parts[0]["text"].clone());
        part.unwrap_or_else(|| content.clone())
    };
    Some(match item["type"].as_str().unwrap_or("message") {
        "message" => format!("says {}", text(&item["content"]).as_str()?),
        "function_call" => {
            let input: Value = serde_json::from_str(item["arguments"].as_str()?).unwrap();
            format!("calls {} {} {input}", item["call_id"], item["name"])
        }
        "function_call_output" => format!("result {} {}", item["call_id"], item["output"]),
        _ => return None,
    })
}

fn message(message: &Value) -> Vec<String> {
    if message["role"] == "tool" {
        return vec![format!(
            "result {} {}",
            message["tool_call_id"], message["content"]
        )];
    }
    let text = message["content"]
        .as_str()
        .map(|text| format!("says {text}"));
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| {
        let function = &call["function"];
        let input: Value = serde_json::from_str(function["arguments"].as_str().unwrap()).unwrap();
        format!("calls {} {} {input}", call["id"], function["name"])
    });
    text.into_iter().chain(calls).collect()
}

#[tokio::test]
async fn a_conversation_moves_between_any_two_apis() {
    for from in Speaks::ALL {
        for to in Speaks::ALL {
            for is_streamed in [false, true] {
                moves(from, to, is_streamed).await;
            }
        }
    }
}

async fn moves(from: Speaks, to: Speaks, is_streamed: bool) {
    let (first, second) = (server(from, "call_a").await, server(to, "call_b").await);
    let kit: Toolkit = toolkit![get_weather];
    let request = Request::new("m").user("What is it like in Oslo?");
    let mut runner = Runner::new(from.provider(&first), kit, request);
    // After the call, before its result is sent.
    runner.next_message().await.unwrap().unwrap();
    runner.set_provider(to.provider(&second));
    run(&mut runner, is_streamed).await;
    assert_eq!(runner.outcome(), Some(Outcome::Completed), "{from} to {to}");
    let bodies = bodies(&second);
    let history = [
        "says What is it like in Oslo?",
        "says Let me see.",
        r#"calls "call_a" "get_weather" {"city":"Oslo"}"#,
        r#"result "call_a" "Oslo: 21 °C""#,
    ];
    // The second server calls, too, as its first answer; then it ends.
    assert_eq!(said(to, &bodies[0]), history, "{from} to {to}");
    assert_eq!(said(to, &bodies[1]).len(), 7, "{from} to {to}");
    let is_same = from == to;
    let hidden = ["secret-signature", "secret-reasoning"];
    let keeps = from != Speaks::Chat;
    for body in &bodies {
        let kept = hidden.iter().any(|secret| has(body, secret));
        let own = to != Speaks::Chat && body != &bodies[0];
        assert_eq!(kept, is_same && keeps || own, "{from} to {to}: {body}");
    }
    let thought = has(&bodies[0], "I think so.");
    assert_eq!(
        thought,
        is_same && keeps,
        "{from} to {to}: thinking is never text"
    );
}

/// There and back: what came from an API goes back to it as it came.
#[tokio::test]
async fn what_an_api_gave_is_whole_when_the_conversation_comes_back() {
    for (home, away) in [
        (Speaks::Anthropic, Speaks::Responses),
        (Speaks::Responses, Speaks::Chat),
        (Speaks::Chat, Speaks::Anthropic),
    ] {
        let (first, second) = (server(home, "call_a").await, server(away, "call_b").await);
        let kit: Toolkit = toolkit![get_weather];
        let mut runner = Runner::new(home.provider(&first), kit, Request::new("m").user("Go"));
        runner.next_message().await.unwrap().unwrap();
        runner.set_provider(away.provider(&second));
        runner.next_message().await.unwrap().unwrap();
        runner.set_provider(home.provider(&first));
        run(&mut runner, false).await;
        let back = &bodies(&first)[1];
        assert_eq!(said(home, back).len(), 7, "{home}: {back}");
        if home != Speaks::Chat {
            assert!(has(back, "secret-"), "{home}: {back}");
        }
    }
}

/// Ids of one API that another would refuse are made to fit, alike for a call and its result.
#[tokio::test]
async fn ids_are_made_to_fit_the_api() {
    let long = "x".repeat(70);
    for (to, id, fits) in [
        (Speaks::Anthropic, "functions.get_weather:0", false),
        (Speaks::Responses, &long, false),
        (Speaks::Chat, &long, false),
        (Speaks::Chat, "functions.get_weather:0", true),
        (Speaks::Responses, "toolu_01A09q90qw90lq917835lq9", true),
    ] {
        let replies = vec![ServerReply::json(
            200,
            &to.answer(&Said {
                text: Some("Warm."),
                ..Said::default()
            }),
        )];
        let server = Server::start(replies).await;
        let call = ToolCall::new(
            id,
            "get_weather",
            RawJson::parse(r#"{"city":"Oslo"}"#).unwrap(),
        );
        let result = ToolResult::new(&call, vec![Content::text("21 °C")]);
        let history = [
            Message::user("Weather?"),
            Message::new(Role::Assistant, vec![Content::ToolCall(call)]),
            Message::new(Role::User, vec![Content::ToolResult(result)]),
        ];
        let request = Request::new("m").messages(history);
        let kit: Toolkit = toolkit![get_weather];
        run(&mut Runner::new(to.provider(&server), kit, request), false).await;
        let lines = said(to, &bodies(&server)[0]);
        let id_of = |line: &str| line.split('"').nth(1).unwrap().to_owned();
        let ids = (id_of(&lines[1]), id_of(&lines[2]));
        assert_eq!(ids.0, ids.1, "{to}");
        assert_eq!(ids.0 == id, fits, "{to}: {}", ids.0);
    }
}

/// A conversation that another program began, at a server with ids of its own, goes on with one id for a call and its
/// result.
#[tokio::test]
async fn a_body_with_ids_that_an_api_refuses_is_sent_with_others() {
    let id = "functions.look:0";
    let server = Server::start(vec![ServerReply::json(
        200,
        &Speaks::Anthropic.answer(&Said {
            text: Some("Done."),
            ..Said::default()
        }),
    )])
    .await;
    let provider = haft::anthropic::Anthropic::builder()
        .api_key("none")
        .base_url(server.url())
        .build()
        .unwrap();
    let body = json!({"model": "m", "max_tokens": 9, "messages": [
        {"role": "user", "content": "Go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]},
    ]});
    let request = Request::from_body(&provider, body).unwrap();
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    runner.run_to_completion().await.unwrap();
    let messages = bodies(&server)[0]["messages"].clone();
    let sent = &messages[1]["content"][0]["id"];
    assert_ne!(*sent, id);
    assert_eq!(messages[2]["content"][0]["tool_use_id"], *sent);
}
