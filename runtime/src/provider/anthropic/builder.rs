//! [`Builder`]: how an [`Anthropic`] is set up.

use std::fmt;

use super::threads::Threads;
use super::{Anthropic, PATH};
use crate::error::Error;
use crate::provider::setup::{Headers, env, reached_over_http, secret};
use crate::transport::{HttpClient, HttpSettings};

const BASE_URL: &str = "https://api.anthropic.com";
const API_VERSION: &str = "2026-10-21";

/// Sets up an [`Anthropic`]: see its methods for the defaults. [`build`](Self::build) tells what is wrong.
///
/// ```
/// use haft::anthropic::Anthropic;
///
/// let claude = Anthropic::builder().api_key("sk-ant-...").max_retries(5).build()?;
/// let neither_key_nor_token = Anthropic::builder().build();
/// assert!(neither_key_nor_token.is_err());
/// # Ok::<(), haft::Error>(())
/// ```
#[must_use]
pub struct Builder {
    http: HttpSettings,
    api_key: Option<String>,
    auth_token: Option<String>,
    api_version: String,
    betas: Vec<String>,
    headers: Headers,
    threads: bool,
    provider_tools: bool,
}

reached_over_http!(Builder);

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            http: HttpSettings::new(BASE_URL, PATH),
            api_key: None,
            auth_token: None,
            api_version: API_VERSION.to_owned(),
            betas: Vec::new(),
            headers: Headers::default(),
            threads: false,
            provider_tools: true,
        }
    }

    pub(super) fn from_env() -> Result<Self, Error> {
        let key = env("ANTHROPIC_API_KEY")?.ok_or_else(|| {
            Error::configuration("the environment has no ANTHROPIC_API_KEY; set it to a key of the Anthropic console")
        })?;
        let builder = Self::new().api_key(key);
        Ok(match env("ANTHROPIC_BASE_URL")? {
            Some(base_url) => builder.base_url(base_url),
            None => builder,
        })
    }

    /// The API key, sent as `x-api-key`. Either this or [`auth_token`](Self::auth_token) is needed.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// An OAuth or workload token, sent as `authorization: Bearer`. Either this or [`api_key`](Self::api_key) is
    /// needed.
    pub fn auth_token(mut self, token: impl Into<String>) -> Self {
        self.auth_token = Some(token.into());
        self
    }

    /// The address before `/v1/messages`. Default: `https://api.anthropic.com`.
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.http.base_url = base_url.into();
        self
    }

    /// The header `anthropic-version`. Default: `2026-10-21`.
    pub fn api_version(mut self, version: impl Into<String>) -> Self {
        self.api_version = version.into();
        self
    }

    /// The name of a beta to take part in; may be given several times.
    pub fn beta(mut self, name: impl Into<String>) -> Self {
        self.betas.push(name.into());
        self
    }

    /// Whether the API keeps the conversation for some minutes, so that each request sends only what is new in it
    /// (message threads, a beta). Default: false.
    ///
    /// The program's history stays the one that counts: where the API has lost the conversation, or cannot keep it, all is
    /// sent again, and the run does not notice. It is one conversation for each provider; a clone has its own. A base URL
    /// of one's own is an error, since other servers keep none.
    pub fn threads(mut self, threads: bool) -> Self {
        self.threads = threads;
        self
    }

    /// Whether the server has the tools that Anthropic defines. Default: true. A server that only speaks the API, such as
    /// llama.cpp's, is offered ordinary functions in their place, and is sent no beta for tools.
    pub fn provider_tools(mut self, provider_tools: bool) -> Self {
        self.provider_tools = provider_tools;
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// Where there is neither key nor token, or both; where the base URL is none; where a header cannot be sent.
    pub fn build(mut self) -> Result<Anthropic, Error> {
        self.set_credentials()?;
        self.http.header("anthropic-version", &self.api_version)?;
        if !self.betas.is_empty() {
            self.http.header("anthropic-beta", &self.betas.join(","))?;
        }
        self.headers.set(&mut self.http)?;
        if self.threads && self.http.base_url.trim_end_matches('/') != BASE_URL {
            return Err(Error::configuration(
                "message threads are kept by Anthropic's own API alone; leave out `threads` or the base URL",
            ));
        }
        if self.http.base_url.trim_end_matches('/').ends_with("/v1") {
            return Err(Error::configuration(
                "the base URL ends in `/v1`, which Anthropic's paths begin with; leave it out",
            ));
        }
        Ok(Anthropic {
            http: HttpClient::new(self.http)?,
            threads: Threads::new(self.threads),
            has_own_tools: self.provider_tools,
        })
    }

    fn set_credentials(&mut self) -> Result<(), Error> {
        let (key, token) = (self.api_key.as_deref(), self.auth_token.as_deref());
        match (secret(key), secret(token)) {
            (Some(key), None) => self.http.header("x-api-key", key),
            (None, Some(token)) => self
                .http
                .header("authorization", &format!("Bearer {token}")),
            (None, None) => Err(Error::configuration(
                "Anthropic needs a key: give `api_key` or `auth_token`, or set ANTHROPIC_API_KEY and use `from_env`",
            )),
            (Some(_), Some(_)) => Err(Error::configuration(
                "Anthropic takes an `api_key` or an `auth_token`, and was given both",
            )),
        }
    }
}

/// Without the key, and without the base URL, which may hold a password.
impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("api_version", &self.api_version)
            .finish_non_exhaustive()
    }
}
