//! What the APIs answer, whole and as streams; and the providers that ask for it.

use std::fmt;

use haft::anthropic::Anthropic;
use haft::openai::{Chat, Responses, Server as ChatServer};
use haft::serde_json::{Value, json};
use haft::{Provider, Runner};
use haft_tests::server::{RequestSeen, Server, ServerReply};

/// An API, and how it is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaks {
    Anthropic,
    Responses,
    Chat,
}

impl Speaks {
    pub(crate) const ALL: [Self; 3] = [Self::Anthropic, Self::Responses, Self::Chat];

    pub(crate) fn provider(self, server: &Server) -> Box<dyn Provider> {
        match self {
            Self::Anthropic => {
                let builder = Anthropic::builder().api_key("none");
                Box::new(builder.base_url(server.url()).build().unwrap())
            }
            Self::Responses => Box::new(responses(server)),
            Self::Chat => Box::new(chat(server, ChatServer::OpenAi)),
        }
    }

    /// What the model says: reasoning, a text, and calls.
    pub(crate) fn answer(self, said: &Said<'_>) -> Value {
        match self {
            Self::Anthropic => said.as_message(),
            Self::Responses => response(&said.as_items()),
            Self::Chat => completion(&said.as_chat()),
        }
    }
}

/// What a model says in one reply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said<'a> {
    pub(crate) thought: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
    /// Id, name and input.
    pub(crate) calls: &'a [(&'a str, &'a str, Value)],
}

impl Said<'_> {
    fn as_message(&self) -> Value {
        let thought = self
            .thought
            .map(|it| json!({"type": "thinking", "thinking": it, "signature": "secret-signature"}));
        let text = self.text.map(|it| json!({"type": "text", "text": it}));
        let calls = self.calls.iter().map(
            |(id, name, input)| json!({"type": "tool_use", "id": id, "name": name, "input": input}),
        );
        let content: Vec<_> = thought.into_iter().chain(text).chain(calls).collect();
        let reason = if self.calls.is_empty() {
            "end_turn"
        } else {
            "tool_use"
        };
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
            "stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 1},
        })
    }

    fn as_items(&self) -> Vec<Value> {
        let thought = self.thought.map(|it| {
            json!({
                "type": "reasoning", "id": "rs_1", "encrypted_content": "secret-reasoning",
                "summary": [{"type": "summary_text", "text": it}],
            })
        });
        let text = self.text.map(|it| {
            json!({
                "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": it, "annotations": []}],
            })
        });
        let calls = self.calls.iter().map(|(id, name, input)| {
            json!({
                "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                "arguments": input.to_string(), "status": "completed",
            })
        });
        thought.into_iter().chain(text).chain(calls).collect()
    }

    fn as_chat(&self) -> Value {
        let mut message = json!({"role": "assistant", "content": self.text});
        if let Some(thought) = self.thought {
            message["reasoning_content"] = json!(thought);
        }
        let calls = self.calls.iter().map(|(id, name, input)| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": input.to_string()}})
        });
        let calls: Vec<_> = calls.collect();
        if !calls.is_empty() {
            message["tool_calls"] = json!(calls);
        }
        message
    }
}

pub(crate) fn responses(server: &Server) -> Responses {
    let builder = Responses::builder().api_key("none").max_retries(0);
    builder.base_url(v1(server)).build().unwrap()
}

pub(crate) fn chat(server: &Server, of: ChatServer) -> Chat {
    let builder = Chat::builder().api_key("none").max_retries(0);
    builder.base_url(v1(server)).server(of).build().unwrap()
}

pub(crate) fn v1(server: &Server) -> String {
    format!("{}/v1", server.url())
}

/// A response of these items.
pub(crate) fn response(items: &[Value]) -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": items,
        "error": null, "incomplete_details": null,
        "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},
    })
}

/// A completion of this message. Servers say `stop` also where there are calls.
pub(crate) fn completion(message: &Value) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    })
}

/// A text, as a message of the Responses API.
pub(crate) fn says(text: &str) -> Value {
    json!({
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    })
}

/// A response as a stream.
pub(crate) fn response_stream(items: &[Value]) -> ServerReply {
    let mut begun = response(&[]);
    begun["status"] = json!("in_progress");
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (at, item) in items.iter().enumerate() {
        events
            .push(json!({"type": "response.output_item.added", "output_index": at, "item": item}));
        events.push(json!({"type": "response.output_item.done", "output_index": at, "item": item}));
    }
    events.push(json!({"type": "response.completed", "response": response(items)}));
    let event = |event: &Value| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap()
        )
    };
    ServerReply::sse(events.iter().map(event).collect::<String>())
}

/// Runs to the end, whole or as a stream.
pub(crate) async fn run(runner: &mut Runner, is_streamed: bool) {
    if !is_streamed {
        runner.run_to_completion().await.unwrap();
        return;
    }
    while let Some(turn) = runner.next_streaming().await.unwrap() {
        turn.into_reply().await.unwrap();
    }
}

/// The bodies that have arrived.
pub(crate) fn bodies(server: &Server) -> Vec<Value> {
    let requests = server.requests();
    requests
        .iter()
        .map(|seen: &RequestSeen| seen.json().unwrap())
        .collect()
}

/// The items of an input that have this type.
pub(crate) fn of_kind<'a>(body: &'a Value, kind: &str) -> Vec<&'a Value> {
    let items = body["input"].as_array().unwrap().iter();
    items.filter(|item| item["type"] == kind).collect()
}

/// Whether a text stands anywhere in a value.
pub(crate) fn has(value: &Value, text: &str) -> bool {
    value.to_string().contains(text)
}

impl fmt::Display for Speaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
