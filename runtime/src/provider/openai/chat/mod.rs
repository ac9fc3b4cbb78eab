//! [`Chat`]: the chat completions API, of OpenAI and of everybody who speaks it.

mod accumulate;
mod builder;
mod call_slots;
mod chunk;
mod content;
mod decode;
mod details;
mod encode;
mod growing;
mod logprobs;
mod messages;
mod parts;
mod read;
mod reasoning;
mod server;
mod wire;

use std::fmt;

use serde_json::Value;

use self::accumulate::Accumulator;
pub use self::builder::Builder;
pub use self::server::Server;
use super::failure;
use crate::api::Api;
use crate::error::Error;
use crate::message::Reply;
use crate::provider::asked::Asked;
use crate::provider::codec::{self, Codec};
use crate::provider::{ModelCall, Provider, longest_reply};
use crate::request::Request;
use crate::stream::ReplyStream;
use crate::transport::{HttpAnswer, HttpClient, HttpRequest};

const API: Api = Api::OPENAI_CHAT;
/// What errors call the API.
const NAME: &str = "the chat completions API";
const PATH: &str = "/chat/completions";

/// The chat completions API: OpenAI's, and that of DeepSeek, Mistral, Groq, OpenRouter, Together, xAI, Gemini, llama.cpp,
/// vLLM, Ollama, LM Studio and others that speak it. Cloning is cheap.
///
/// ```
/// use haft::openai::Chat;
///
/// // A server on this machine, without a key:
/// let local = Chat::builder().base_url("http://127.0.0.1:11434/v1").build()?;
/// // One elsewhere; what is special about it is known by its address (see `Server`):
/// let deepseek = Chat::builder().base_url("https://api.deepseek.com/v1").api_key("sk-...").build()?;
/// # Ok::<(), haft::Error>(())
/// ```
///
/// A document by its address ([`Source::Url`](crate::Source::Url)) cannot be sent here, and is an error before anything
/// is: give its bytes in base64, or upload it and give the file's id.
///
/// For OpenAI's own models, [`Responses`](super::Responses) does more: it keeps the model's reasoning between turns.
#[derive(Clone)]
pub struct Chat {
    http: HttpClient,
    server: Server,
}

impl Chat {
    /// Sets one up by hand.
    pub fn builder() -> Builder {
        Builder::new()
    }

    /// From the environment: the key in `OPENAI_API_KEY`, and the base URL in `OPENAI_BASE_URL` if it is set. With a base
    /// URL, there need not be a key.
    ///
    /// # Errors
    /// Where there is neither, or the base URL is none.
    pub fn from_env() -> Result<Self, Error> {
        Builder::from_env()?.build()
    }

    /// Whether a reply comes as a stream: also one that would take too long otherwise.
    fn is_to_stream(&self, call: ModelCall<'_>) -> bool {
        let limits = [self.server.quirks().max_tokens];
        call.is_streamed() || longest_reply(call.request(), &limits, 0) > self.http.timeout()
    }

    fn request(&self, call: ModelCall<'_>, is_streamed: bool) -> Result<HttpRequest, Error> {
        let body = encode::body(call, is_streamed, self.server)?;
        Ok(HttpRequest::new(body))
    }

    async fn whole_reply(&self, call: ModelCall<'_>) -> Result<Reply, Error> {
        let request = self.request(call, false)?;
        codec::whole::<Completions>(&self.http, request, call.into()).await
    }

    async fn open<'a>(&'a self, call: ModelCall<'a>) -> Result<ReplyStream<'a>, Error> {
        let request = self.request(call, true)?;
        codec::open::<Completions>(&self.http, request, call).await
    }
}

impl Provider for Chat {
    fn api(&self) -> Api {
        API
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        if self.is_to_stream(call) {
            ReplyStream::open(self.open(call))
        } else {
            ReplyStream::from_future(self.whole_reply(call))
        }
    }

    fn read_request(&self, body: Value) -> Result<Request, Error> {
        read::request(body, self.server)
    }
}

/// How replies of this API are read.
#[derive(Clone, Copy, Debug)]
struct Completions;

impl Codec for Completions {
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
impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat")
            .field("server", &self.http.origin())
            .finish_non_exhaustive()
    }
}
