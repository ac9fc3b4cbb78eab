//! [`Anthropic`]: Anthropic's Messages API, and servers that speak it.

mod blocks;
mod builder;
mod decode;
mod encode;
mod output;
mod read;
mod wire;

use std::fmt;

use serde_json::Value;

pub use self::builder::Builder;
use super::{ModelCall, Provider};
use crate::api::Api;
use crate::error::Error;
use crate::request::Request;
use crate::stream::ReplyStream;
use crate::transport::HttpClient;

const API: Api = Api::ANTHROPIC_MESSAGES;

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
        !matches!(builder::env("ANTHROPIC_API_KEY"), Ok(None))
    }
}

impl Provider for Anthropic {
    fn api(&self) -> Api {
        API
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        ReplyStream::from_future(async move {
            let body = encode::body(call)?;
            let answer = self.http.post("/v1/messages", body, decode::error).await?;
            let model = &call.request().model;
            decode::reply(&answer, model).or_else(|_| {
                // Read again without secrets, so that the error cannot quote one.
                let answer = self.http.readable(answer);
                decode::reply(&answer, model).map_err(|error| decode::unreadable(error, &answer))
            })
        })
    }

    fn read_request(&self, body: Value) -> Result<Request, Error> {
        read::request(body)
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
