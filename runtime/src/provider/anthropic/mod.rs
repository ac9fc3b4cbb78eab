//! [`Anthropic`]: Anthropic's Messages API, and servers that speak it.

mod accumulate;
mod beta;
pub mod betas;
mod blocks;
mod builder;
mod changes;
mod compaction;
mod content;
mod decode;
mod definitions;
mod encode;
mod event;
mod examples;
mod failure;
mod open_block;
mod options;
mod output;
mod read;
mod threads;
pub mod tools;
mod wire;

use std::fmt;
use std::future::ready;

use futures_util::StreamExt as _;
use serde_json::Value;

use self::accumulate::Accumulator;
pub use self::builder::Builder;
pub use self::options::{
    CacheControl, ContextEdit, Effort, McpServer, RequestExt, Thinking, ThinkingDisplay,
};
use self::threads::{Plan, Threads};
use super::asked::Asked;
use super::codec::{self, Codec};
use super::setup::is_in_env;
use super::{ModelCall, Provider, ToolChange, longest_reply};
use crate::api::Api;
use crate::error::Error;
use crate::message::{Message, Reply};
use crate::request::Request;
use crate::stream::{ReplyStream, StreamEvent};
use crate::transport::{HttpAnswer, HttpClient, HttpRequest};

const API: Api = Api::ANTHROPIC_MESSAGES;
/// In place of the API where a server speaks it and has none of its tools.
const NO_TOOLS: Api = Api::new_static("anthropic-messages without Anthropic's tools");
/// What errors call the API.
const NAME: &str = "the Messages API";
const PATH: &str = "/v1/messages";

/// Anthropic's Messages API, and servers that speak it. Cloning is cheap.
///
/// ```no_run
/// use haft::anthropic::Anthropic;
///
/// // From ANTHROPIC_API_KEY and, if set, ANTHROPIC_BASE_URL:
/// let claude = Anthropic::from_env()?;
/// // A server of one's own that speaks this API:
/// let local = Anthropic::builder().api_key("none").base_url("http://127.0.0.1:8080").build()?;
/// # Ok::<(), haft::Error>(())
/// ```
#[derive(Clone)]
pub struct Anthropic {
    http: HttpClient,
    threads: Threads,
    has_own_tools: bool,
}

impl Anthropic {
    /// Sets one up by hand.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// From the environment: the key in `ANTHROPIC_API_KEY`, and the base URL in `ANTHROPIC_BASE_URL` if it is set.
    ///
    /// # Errors
    /// Where there is no key, or the base URL is none.
    pub fn from_env() -> Result<Self, Error> {
        Builder::from_env()?.build()
    }

    /// Whether the environment has a key, good or bad.
    pub(crate) fn is_in_env() -> bool {
        is_in_env("ANTHROPIC_API_KEY")
    }
}

impl Provider for Anthropic {
    fn api(&self) -> Api {
        API
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        if self.threads.is_on() {
            return ReplyStream::open(self.send_in_thread(call));
        }
        if self.is_to_stream(call) {
            return ReplyStream::open(self.open(call, &Plan::Whole));
        }
        ReplyStream::from_future(self.whole_reply(call, &Plan::Whole))
    }

    fn read_request(&self, body: Value) -> Result<Request, Error> {
        read::request(body)
    }

    fn tools_api(&self) -> Api {
        if self.has_own_tools { API } else { NO_TOOLS }
    }

    fn tool_changes(&self, changes: &[ToolChange]) -> Result<Option<Message>, Error> {
        let told = self.has_own_tools.then(|| changes::message(changes));
        told.transpose()
    }

    fn compaction(
        &self,
        request: &Request,
        instructions: Option<&str>,
    ) -> Result<Option<Request>, Error> {
        compaction::request(request, instructions).map(Some)
    }
}

impl Anthropic {
    /// Whether a reply comes as a stream: also one that would take too long otherwise.
    fn is_to_stream(&self, call: ModelCall<'_>) -> bool {
        let longest = longest_reply(call.request(), &["max_tokens"], encode::MAX_TOKENS);
        call.is_streamed() || longest > self.http.timeout()
    }

    async fn whole_reply(&self, call: ModelCall<'_>, plan: &Plan) -> Result<Reply, Error> {
        let request = request(&self.http, call, plan, false)?;
        codec::whole::<Messages>(&self.http, request, call.into()).await
    }

    async fn open<'a>(
        &'a self,
        call: ModelCall<'a>,
        plan: &Plan,
    ) -> Result<ReplyStream<'a>, Error> {
        let request = request(&self.http, call, plan, true)?;
        codec::open::<Messages>(&self.http, request, call).await
    }

    /// As far as the API has the conversation, only what is new is sent; where it cannot go on with it, all is.
    async fn send_in_thread<'a>(&'a self, call: ModelCall<'a>) -> Result<ReplyStream<'a>, Error> {
        let mut plan = self.threads.plan(call)?;
        loop {
            let sent = if self.is_to_stream(call) {
                self.open(call, &plan).await
            } else {
                let reply = self.whole_reply(call, &plan).await;
                reply.map(|reply| ReplyStream::from_future(ready(Ok(reply))))
            };
            match sent {
                Ok(stream) => return Ok(self.taken_in(stream, call, plan)),
                Err(error) => match self.threads.after(&plan, &error) {
                    Some(again) => plan = again,
                    None => return Err(error),
                },
            }
        }
    }

    /// The same stream, whose reply says where the conversation stands.
    fn taken_in<'a>(
        &'a self,
        stream: ReplyStream<'a>,
        call: ModelCall<'a>,
        plan: Plan,
    ) -> ReplyStream<'a> {
        ReplyStream::new(stream.inspect(move |event| {
            if let Ok(StreamEvent::Reply(reply)) = event {
                self.threads.take_in(&plan, call, reply);
            }
        }))
    }
}

/// What is posted for a call.
fn request(
    http: &HttpClient,
    call: ModelCall<'_>,
    plan: &Plan,
    is_streamed: bool,
) -> Result<HttpRequest, Error> {
    let request = HttpRequest::new(encode::body(call, is_streamed, plan)?);
    match beta::value(http.header(&beta::HEADER), call, plan) {
        Some(betas) => request.with_header(beta::HEADER, &betas),
        None => Ok(request),
    }
}

/// How replies of this API are read.
#[derive(Clone, Copy, Debug)]
struct Messages;

impl Codec for Messages {
    type Accumulator<'a> = Accumulator<'a>;

    const NAME: &'static str = NAME;
    const REQUEST_ID: &'static str = failure::REQUEST_ID;

    fn error(answer: &HttpAnswer) -> Error {
        failure::error(answer)
    }

    fn reply(answer: &HttpAnswer, asked: Asked<'_>) -> Result<Reply, Error> {
        decode::reply(answer, asked)
    }

    fn accumulator(asked: Asked<'_>, request_id: Option<String>) -> Accumulator<'_> {
        Accumulator::new(asked, request_id)
    }
}

/// Without the key.
impl fmt::Debug for Anthropic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Anthropic")
            .field("server", &self.http.origin())
            .finish_non_exhaustive()
    }
}
