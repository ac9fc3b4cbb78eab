//! What is told of a reply while it arrives adds up to it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use haft::{
    Content, Error, ModelCall, Provider, Reply, ReplyStream, Request, Runner, StreamEvent,
    StreamExt, Toolkit,
};
use haft_tests::recording::{Payload, load, shared_or_skip};
use haft_tests::server::Server;

use crate::{Api, cut, vectors};

/// Keeps what a provider tells.
#[derive(Debug)]
struct Heard {
    provider: Box<dyn Provider>,
    events: Arc<Mutex<Vec<StreamEvent>>>,
}

impl Provider for Heard {
    fn api(&self) -> haft::Api {
        self.provider.api()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let keep = |event: &Result<StreamEvent, Error>| {
            self.events.lock().unwrap().extend(event.clone().ok());
        };
        ReplyStream::new(self.provider.send(call).inspect(keep))
    }
}

/// What is told of each stream of an API adds up to its reply; there must be so many that come to one.
async fn add_up_to_replies(test: &str, api: Api, folder: &str, least: usize) {
    let Some(shared) = shared_or_skip(test) else {
        return;
    };
    let vectors = vectors(&shared.join("wire/vectors"), api).into_iter();
    let mut streams: Vec<_> = vectors
        .map(|vector| (vector.name, cut(&vector.stream, &[])))
        .collect();
    for recording in load(shared.join("recordings").join(folder)).unwrap() {
        let responses = recording
            .exchanges
            .iter()
            .map(|exchange| &exchange.response);
        let recorded = responses.filter(|response| matches!(response.payload, Payload::Sse(_)));
        streams.extend(recorded.map(|response| (recording.name.clone(), response.into())));
    }
    let mut whole = 0;
    for (name, stream) in streams {
        let server = Server::start(vec![stream]).await;
        let (provider, events) = (api.provider(&server), Arc::default());
        let heard = Heard {
            provider,
            events: Arc::clone(&events),
        };
        let request = Request::new("any").user("Hello");
        let mut runner = Runner::new(heard, Toolkit::new(), request);
        let turn = runner.next_streaming().await.unwrap().unwrap();
        if let Ok(Some(reply)) = turn.into_reply().await {
            whole += 1;
            let events = events.lock().unwrap();
            add_up(&events, &reply).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        }
    }
    assert!(whole >= least, "{whole} streams have a reply");
}

#[tokio::test]
async fn what_is_told_adds_up_to_the_reply() {
    let test = "what_is_told_adds_up_to_the_reply";
    add_up_to_replies(test, Api::Anthropic, "anthropic-messages", 110).await;
}

#[tokio::test]
async fn what_is_told_of_responses_adds_up_to_the_reply() {
    let test = "what_is_told_of_responses_adds_up_to_the_reply";
    add_up_to_replies(test, Api::Responses, "openai-responses", 65).await;
}

#[tokio::test]
async fn what_is_told_of_completions_adds_up_to_the_reply() {
    let test = "what_is_told_of_completions_adds_up_to_the_reply";
    add_up_to_replies(test, Api::Chat, "openai-chat", 240).await;
}

/// What is told of a block before it is whole, joined, and the whole block.
type Told = (String, Option<Content>);

fn add_up(events: &[StreamEvent], reply: &Reply) -> Result<(), String> {
    let mut blocks: BTreeMap<usize, Told> = BTreeMap::new();
    let mut usage = None;
    for event in events {
        let (index, part) = match event {
            StreamEvent::TextDelta { index, text } | StreamEvent::ThinkingDelta { index, text } => {
                (index, text)
            }
            StreamEvent::InputDelta { index, json } => (index, json),
            StreamEvent::BlockStart { index, .. } => {
                let before = blocks.insert(*index, Told::default());
                assert!(before.is_none(), "block {index} begins twice");
                continue;
            }
            StreamEvent::BlockStop(block) => {
                blocks.get_mut(&block.index()).unwrap().1 = Some(block.content().clone());
                continue;
            }
            StreamEvent::Restart => {
                blocks.clear();
                continue;
            }
            StreamEvent::Usage(total) => {
                usage = Some(total);
                continue;
            }
            _ => continue,
        };
        blocks.get_mut(index).unwrap().0.push_str(part);
    }
    if usage != Some(reply.usage()) {
        return Err(format!("{usage:?} is not the reply's usage"));
    }
    let told: Vec<_> = blocks.into_values().collect();
    if told.len() != reply.content().len() {
        return Err(format!("{} blocks were told", told.len()));
    }
    let mut pairs = told.iter().zip(reply.content());
    match pairs.find(|(told, block)| !is_told(told, block, reply)) {
        Some((told, block)) => Err(format!("{told:?} was told of {block:?}")),
        None => Ok(()),
    }
}

fn is_told((joined, whole): &Told, block: &Content, reply: &Reply) -> bool {
    match block {
        // A call that is set aside was one when it was told.
        Content::Other(other) if other.kind == "tool_use" => return true,
        // Which OpenAI fills in with its last event.
        Content::Other(other) if other.kind == "mcp_list_tools" => return true,
        Content::Text(text) if *joined != text.text => return false,
        Content::Thinking(thinking) if *joined != thinking.text => return false,
        Content::ToolCall(call) if joined.is_empty() => {
            assert!(matches!(call.input().as_str(), "{}" | "null"), "{call:?}");
        }
        Content::ToolCall(call) if joined != call.input().as_str() => return false,
        _ => {}
    }
    // A call whose input may be cut is never told as whole.
    let is_cut = whole.is_none() && matches!(block, Content::ToolCall(_));
    whole.as_ref() == Some(block)
        || is_cut
            && reply.content().last() == Some(block)
            && reply.stop_reason() == &haft::StopReason::MaxTokens
}
