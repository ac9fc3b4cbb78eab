//! [`Responses`]: OpenAI's Responses API, and servers that speak it.

mod accumulate;
mod builder;
mod calls;
mod content;
mod decode;
mod encode;
mod event;
mod given;
mod items;
mod open_item;
mod output;
mod parts;
mod previous;
mod read;
mod results;
mod wire;

use std::fmt;
use std::future::ready;

use futures_util::StreamExt as _;
use serde_json::Value;

use self::accumulate::Accumulator;
pub use self::builder::Builder;
use self::previous::{Plan, Previous};
use super::failure;
use crate::api::Api;
use crate::error::Error;
use crate::message::Reply;
use crate::provider::asked::Asked;
use crate::provider::codec::{self, Codec};
use crate::provider::{ModelCall, Provider, longest_reply};
use crate::request::Request;
use crate::stream::{ReplyStream, StreamEvent};
use crate::transport::{HttpAnswer, HttpClient, HttpRequest};

pub(super) const API: Api = Api::OPENAI_RESPONSES;
/// In place of the API where a server speaks it and has none of its tools.
const NO_TOOLS: Api = Api::new_static("openai-responses without OpenAI's tools");
/// What errors call the API.
const NAME: &str = "the Responses API";
const PATH: &str = "/responses";
/// The field for the most tokens of a reply.
const MAX_TOKENS: &str = "max_output_tokens";

/// OpenAI's Responses API, and servers that speak it. Cloning is cheap.
///
/// ```no_run
/// use haft::openai::Responses;
///
/// // From OPENAI_API_KEY and, if set, OPENAI_BASE_URL:
/// let gpt = Responses::from_env()?;
/// // Another server that speaks this API, and has none of OpenAI's own tools:
/// let local = Responses::builder().base_url("http://127.0.0.1:8080/v1").provider_tools(false).build()?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// Nothing is stored at OpenAI: each request has the whole conversation, the model's encrypted reasoning included, so
/// that it goes on thinking where it was (see [`previous_response_id`](super::ResponsesBuilder::previous_response_id) for
/// the other way).
#[derive(Clone)]
pub struct Responses {
    http: HttpClient,
    previous: Previous,
    has_own_tools: bool,
}

impl Responses {
    /// Sets one up by hand.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// From the environment: the key in `OPENAI_API_KEY`, and the base URL in `OPENAI_BASE_URL` if it is set.
    ///
    /// # Errors
    /// Where there is neither, or the base URL is none.
    pub fn from_env() -> Result<Self, Error> {
        Builder::from_env()?.build()
    }

    /// Whether a reply comes as a stream: also one that would take too long otherwise.
    fn is_to_stream(&self, call: ModelCall<'_>) -> bool {
        call.is_streamed() || longest_reply(call.request(), &[MAX_TOKENS], 0) > self.http.timeout()
    }

    fn request(
        &self,
        call: ModelCall<'_>,
        plan: &Plan,
        is_streamed: bool,
    ) -> Result<HttpRequest, Error> {
        let body = encode::body(call, is_streamed, plan)?;
        Ok(HttpRequest::new(body))
    }

    async fn whole_reply(&self, call: ModelCall<'_>, plan: &Plan) -> Result<Reply, Error> {
        let request = self.request(call, plan, false)?;
        codec::whole::<ResponseObjects>(&self.http, request, call.into()).await
    }

    async fn open<'a>(
        &'a self,
        call: ModelCall<'a>,
        plan: &Plan,
    ) -> Result<ReplyStream<'a>, Error> {
        let request = self.request(call, plan, true)?;
        codec::open::<ResponseObjects>(&self.http, request, call).await
    }

    /// As far as the API has the conversation, only what is new is sent; where it has lost it, all is.
    async fn send_on<'a>(&'a self, call: ModelCall<'a>) -> Result<ReplyStream<'a>, Error> {
        let mut plan = self.previous.plan(call);
        loop {
            let sent = if self.is_to_stream(call) {
                self.open(call, &plan).await
            } else {
                let reply = self.whole_reply(call, &plan).await;
                reply.map(|reply| ReplyStream::from_future(ready(Ok(reply))))
            };
            match sent {
                Ok(stream) => return Ok(self.taken_in(stream, call)),
                Err(error) => match self.previous.after(&plan, &error) {
                    Some(again) => plan = again,
                    None => return Err(error),
                },
            }
        }
    }

    /// The same stream, whose reply says where the conversation stands.
    fn taken_in<'a>(&'a self, stream: ReplyStream<'a>, call: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::new(stream.inspect(move |event| {
            if let Ok(StreamEvent::Reply(reply)) = event {
                self.previous.take_in(call, reply);
            }
        }))
    }
}

impl Provider for Responses {
    fn api(&self) -> Api {
        API
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        if self.previous.is_on() {
            return ReplyStream::open(self.send_on(call));
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
}

/// How replies of this API are read.
#[derive(Clone, Copy, Debug)]
struct ResponseObjects;

impl Codec for ResponseObjects {
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
impl fmt::Debug for Responses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Responses")
            .field("server", &self.http.origin())
            .finish_non_exhaustive()
    }
}
