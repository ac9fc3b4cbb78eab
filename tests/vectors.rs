//! The stream of every vector gives the same result, however its bytes are cut.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use haft::anthropic::Anthropic;
use haft::serde_json::value::RawValue;
use haft::serde_json::{self, Value, json};
use haft::{
    Api, Content, Error, ErrorKind, ModelCall, Provider, Reply, ReplyStream, Request, Runner,
    StreamEvent, StreamExt, Toolkit,
};
use haft_tests::equality::equal;
use haft_tests::recording::{Payload, load, shared_or_skip};
use haft_tests::server::{Server, ServerReply};

/// A stream, what it adds up to, and where its bytes are to be cut.
struct Vector {
    name: String,
    stream: Vec<u8>,
    expected: Value,
    cuts: Vec<usize>,
}

fn vectors(folder: &Path) -> Vec<Vector> {
    let read = |path: PathBuf| std::fs::read(path).unwrap();
    let manifest: Value = serde_json::from_slice(&read(folder.join("manifest.json"))).unwrap();
    let all = manifest["vectors"].as_array().unwrap().iter();
    all.filter(|vector| vector["api"] == "anthropic")
        .map(|vector| {
            let file = |key: &str| Some(read(folder.join(vector[key].as_str()?)));
            let cuts = file("chunks").map(|side| {
                let side: Value = serde_json::from_slice(&side).unwrap();
                serde_json::from_value(side["split_at_byte_offsets"].clone()).unwrap()
            });
            Vector {
                name: vector["name"].as_str().unwrap().to_owned(),
                stream: file("sse").unwrap(),
                expected: serde_json::from_slice(&file("expected").unwrap()).unwrap(),
                cuts: cuts.unwrap_or_default(),
            }
        })
        .collect()
}

/// The stream in pieces that begin at these places.
fn cut(stream: &[u8], cuts: &[usize]) -> ServerReply {
    let ends = cuts.iter().copied().chain([stream.len()]);
    let mut start = 0;
    ServerReply::sse_in(ends.map(|end| {
        let piece = stream[start..end].to_vec();
        start = end;
        piece
    }))
}

/// How a vector's stream is cut: not at all, at every byte, as its side file says, and by chance.
fn cuttings(vector: &Vector) -> Vec<ServerReply> {
    let stream = &vector.stream;
    let bytes: Vec<_> = (1..stream.len()).collect();
    let fixed = [Vec::new(), bytes, vector.cuts.clone()];
    let by_chance = (0..RANDOM_CUTTINGS).map(|_| {
        let mut cuts: Vec<_> = (0..RANDOM_CUTS)
            .map(|_| fastrand::usize(..stream.len()))
            .collect();
        cuts.sort_unstable();
        cuts
    });
    fixed
        .into_iter()
        .chain(by_chance)
        .map(|cuts| cut(stream, &cuts))
        .collect()
}

/// A thousand cuts by chance for each vector: so many streams, each cut at so many places.
const RANDOM_CUTTINGS: usize = 100;
const RANDOM_CUTS: usize = 10;

fn provider(server: &Server) -> Anthropic {
    let builder = Anthropic::builder().api_key("none");
    let builder = builder.base_url(server.url()).max_retries(0);
    builder.build().unwrap()
}

/// Asks for so much that haft streams by itself.
async fn ask(server: &Server) -> Result<Reply, Error> {
    let provider = provider(server);
    let request = Request::new("any").max_tokens(128_000).user("Hello");
    let mut runner = Runner::new(provider, Toolkit::new(), request);
    Ok(runner.next_message().await?.unwrap())
}

#[tokio::test]
async fn vectors_of_the_messages_api_add_up() {
    let Some(shared) = shared_or_skip("vectors_of_the_messages_api_add_up") else {
        return;
    };
    let vectors = vectors(&shared.join("wire/vectors"));
    assert!(vectors.len() >= 30, "{} vectors", vectors.len());
    let seed = fastrand::u64(..);
    fastrand::seed(seed);
    for vector in &vectors {
        let cuttings = cuttings(vector);
        let count = cuttings.len();
        let server = Server::start(cuttings).await;
        for at in 0..count {
            let got = ask(&server).await;
            if let Err(reason) = check(&vector.expected, got) {
                panic!(
                    "{}, cutting {at} with the seed {seed}: {reason}",
                    vector.name
                );
            }
        }
    }
}

fn check(expected: &Value, got: Result<Reply, Error>) -> Result<(), String> {
    match (expected.get("message"), got) {
        (Some(message), Ok(reply)) => check_reply(expected, message, &reply),
        (None, Err(error)) => check_error(expected, &error),
        (Some(_), Err(error)) => Err(format!("an error came: {error}")),
        (None, Ok(_)) => Err("a reply came".to_owned()),
    }
}

fn check_reply(expected: &Value, message: &Value, reply: &Reply) -> Result<(), String> {
    let slips = slips(expected);
    same(message, reply, &slips)?;
    for (at, raw) in expected["raw_inputs"].as_object().into_iter().flatten() {
        let (at, raw) = (at.parse::<usize>().unwrap(), raw.as_str().unwrap());
        let block = &reply.content()[at];
        let got = raw_input(block);
        if got != if raw.is_empty() { "{}" } else { raw } {
            return Err(format!("content[{at}] has the input {got}"));
        }
        if let Some(call) = block.as_tool_call()
            && call.input().is_json() == slips.contains(&at)
        {
            return Err(format!("content[{at}] is not told from a whole input"));
        }
    }
    Ok(())
}

/// The places of calls whose input is no JSON.
fn slips(expected: &Value) -> Vec<usize> {
    let lists = ["incomplete_inputs", "invalid_inputs"].map(|key| expected[key].as_array());
    let places = lists.into_iter().flatten().flatten();
    places
        .map(|at| usize::try_from(at.as_u64().unwrap()).unwrap())
        .collect()
}

fn raw_input(block: &Content) -> String {
    match block {
        Content::ToolCall(call) => call.input().as_str().to_owned(),
        Content::Other(other) => {
            let fields: BTreeMap<String, Box<RawValue>> = other.json.decode().unwrap();
            fields["input"].get().to_owned()
        }
        _ => String::new(),
    }
}

fn check_error(expected: &Value, error: &Error) -> Result<(), String> {
    let kind = expected["error"]["type"].as_str().unwrap();
    if kind == "truncated_stream" {
        assert_eq!(error.kind(), ErrorKind::Protocol);
    } else {
        let got = (error.provider_message(), error.request_id());
        let fields = &expected["error"];
        assert_eq!(
            got,
            (fields["message"].as_str(), fields["request_id"].as_str())
        );
        assert!(error.to_string().contains(kind), "{error}");
    }
    assert!(error.is_retryable(), "{error}");
    let partial = error
        .partial_reply()
        .ok_or("nothing is there of the reply")?;
    same(&expected["partial"], partial, &[])
}

/// Whether a reply is the expected message, in its raw and its neutral form.
fn same(expected: &Value, reply: &Reply, slips: &[usize]) -> Result<(), String> {
    let (expected, got) = (
        plain(expected, slips),
        plain(&reply.raw().to_value(), slips),
    );
    equal(&expected, &got).map_err(|difference| difference.to_string())?;
    let texts = expected["content"].as_array().into_iter().flatten();
    let text: String = texts
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block["text"].as_str())
        .collect();
    let neutral = json!({
        "id": reply.id(), "model": reply.model(), "text": reply.text(),
        "blocks": reply.content().len(), "output": reply.usage().output,
    });
    let blocks = expected["content"].as_array().map_or(0, Vec::len);
    let expected = json!({
        "id": expected["id"], "model": expected["model"], "text": text,
        "blocks": blocks, "output": expected["usage"]["output_tokens"],
    });
    equal(&expected, &neutral).map_err(|difference| format!("neutral: {difference}"))
}

/// A message without what does not count.
fn plain(message: &Value, slips: &[usize]) -> Value {
    let mut message = without_nulls(message);
    let blocks = message["content"].as_array_mut().into_iter().flatten();
    for (at, block) in blocks.enumerate() {
        let block = block.as_object_mut().unwrap();
        if slips.contains(&at) {
            block.shift_remove("input");
        }
        if block.get("citations") == Some(&json!([])) {
            block.shift_remove("citations");
        }
    }
    message
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| match key.as_str() {
                "input" => (key.clone(), value.clone()),
                _ => (key.clone(), without_nulls(value)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        _ => value.clone(),
    }
}

/// Keeps what a provider tells.
#[derive(Debug)]
struct Heard {
    provider: Anthropic,
    events: Arc<Mutex<Vec<StreamEvent>>>,
}

impl Provider for Heard {
    fn api(&self) -> Api {
        self.provider.api()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let keep = |event: &Result<StreamEvent, Error>| {
            self.events.lock().unwrap().extend(event.clone().ok());
        };
        ReplyStream::new(self.provider.send(call).inspect(keep))
    }
}

#[tokio::test]
async fn what_is_told_adds_up_to_the_reply() {
    let Some(shared) = shared_or_skip("what_is_told_adds_up_to_the_reply") else {
        return;
    };
    let vectors = vectors(&shared.join("wire/vectors")).into_iter();
    let mut streams: Vec<_> = vectors
        .map(|vector| (vector.name, cut(&vector.stream, &[])))
        .collect();
    for recording in load(shared.join("recordings/anthropic-messages")).unwrap() {
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
        let (provider, events) = (provider(&server), Arc::default());
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
    assert!(whole >= 110, "{whole} streams have a reply");
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
    match pairs.find(|(told, block)| !is_told(told, block)) {
        Some((told, block)) => Err(format!("{told:?} was told of {block:?}")),
        None => Ok(()),
    }
}

fn is_told((joined, whole): &Told, block: &Content) -> bool {
    match block {
        // A call that is set aside was one when it was told.
        Content::Other(other) if other.kind == "tool_use" => return true,
        Content::Text(text) if *joined != text.text => return false,
        Content::Thinking(thinking) if *joined != thinking.text => return false,
        Content::ToolCall(call) if joined.is_empty() => {
            assert!(matches!(call.input().as_str(), "{}" | "null"), "{call:?}");
        }
        Content::ToolCall(call) if joined != call.input().as_str() => return false,
        _ => {}
    }
    whole.as_ref() == Some(block)
}
