//! The stream of every vector gives the same result, however its bytes are cut.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod anthropic;
mod chat;
mod responses;
mod told;

use std::path::{Path, PathBuf};

use haft::anthropic::Anthropic;
use haft::openai::{Chat, Responses};
use haft::serde_json::{self, Value};
use haft::{Error, ErrorKind, Provider, Reply, Request, Runner, Toolkit};
use haft_tests::recording::shared_or_skip;
use haft_tests::server::{Server, ServerReply};

/// An API of the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Api {
    Anthropic,
    Responses,
    Chat,
}

impl Api {
    /// Its name in the manifest, and how many vectors it has at least.
    const fn named(self) -> (&'static str, usize) {
        match self {
            Self::Anthropic => ("anthropic", 30),
            Self::Responses => ("responses", 11),
            Self::Chat => ("chat", 13),
        }
    }

    fn provider(self, server: &Server) -> Box<dyn Provider> {
        let v1 = format!("{}/v1", server.url());
        match self {
            Self::Anthropic => {
                let builder = Anthropic::builder().api_key("none");
                let builder = builder.base_url(server.url()).max_retries(0);
                Box::new(builder.build().unwrap())
            }
            Self::Responses => {
                let builder = Responses::builder().base_url(v1).max_retries(0);
                Box::new(builder.build().unwrap())
            }
            Self::Chat => {
                let builder = Chat::builder().base_url(v1).max_retries(0);
                Box::new(builder.build().unwrap())
            }
        }
    }

    fn check(self, expected: &Value, got: Result<Reply, Error>) -> Result<(), String> {
        match self {
            Self::Anthropic => anthropic::check(expected, got),
            Self::Responses => responses::check(expected, got),
            Self::Chat => chat::check(expected, got),
        }
    }
}

/// A stream, what it adds up to, and where its bytes are to be cut.
struct Vector {
    name: String,
    stream: Vec<u8>,
    expected: Value,
    cuts: Vec<usize>,
}

fn vectors(folder: &Path, api: Api) -> Vec<Vector> {
    let read = |path: PathBuf| std::fs::read(path).unwrap();
    let manifest: Value = serde_json::from_slice(&read(folder.join("manifest.json"))).unwrap();
    let all = manifest["vectors"].as_array().unwrap().iter();
    all.filter(|vector| vector["api"] == api.named().0)
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

/// Asks for so much that haft streams by itself.
async fn ask(api: Api, server: &Server) -> Result<Reply, Error> {
    let request = Request::new("any").max_tokens(128_000).user("Hello");
    let mut runner = Runner::new(api.provider(server), Toolkit::new(), request);
    Ok(runner.next_message().await?.unwrap())
}

/// Each vector of an API adds up, in each cutting.
async fn add_up(test: &str, api: Api) {
    let Some(shared) = shared_or_skip(test) else {
        return;
    };
    let vectors = vectors(&shared.join("wire/vectors"), api);
    assert!(vectors.len() >= api.named().1, "{} vectors", vectors.len());
    let seed = fastrand::u64(..);
    fastrand::seed(seed);
    for vector in &vectors {
        let cuttings = cuttings(vector);
        let count = cuttings.len();
        let server = Server::start(cuttings).await;
        for at in 0..count {
            let got = ask(api, &server).await;
            if let Err(reason) = api.check(&vector.expected, got) {
                panic!(
                    "{}, cutting {at} with the seed {seed}: {reason}",
                    vector.name
                );
            }
        }
    }
}

#[tokio::test]
async fn vectors_of_the_messages_api_add_up() {
    add_up("vectors_of_the_messages_api_add_up", Api::Anthropic).await;
}

#[tokio::test]
async fn vectors_of_the_responses_api_add_up() {
    add_up("vectors_of_the_responses_api_add_up", Api::Responses).await;
}

#[tokio::test]
async fn vectors_of_chat_completions_add_up() {
    add_up("vectors_of_chat_completions_add_up", Api::Chat).await;
}

/// A value without its nulls, which say nothing.
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

/// Whether an error is the one that the server has told in its stream, in these words.
fn is_told(expected: &Value, error: &Error) -> Result<(), String> {
    let expected = &expected["error"];
    let got = (error.provider_message(), error.code());
    if got != (expected["message"].as_str(), expected["code"].as_str()) {
        return Err(format!("{got:?} was told"));
    }
    if error.kind() != ErrorKind::Api {
        return Err(format!("it is of the kind {:?}", error.kind()));
    }
    match expected["type"].as_str() {
        Some(kind) if !error.to_string().contains(kind) => Err(format!("{error}")),
        _ => Ok(()),
    }
}
