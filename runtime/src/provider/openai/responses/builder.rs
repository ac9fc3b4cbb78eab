//! [`Builder`]: how a [`Responses`] is set up.

use super::previous::Previous;
use super::{PATH, Responses};
use crate::error::Error;
use crate::provider::openai::credentials::{
    BASE_URL, Credentials, KEY, OPENAI, set_headers, with_credentials,
};
use crate::provider::setup::{Headers, env, reached_over_http};
use crate::transport::{HttpClient, HttpSettings};

/// Sets up a [`Responses`]: see its methods for the defaults. [`build`](Self::build) tells what is wrong.
///
/// ```
/// use haft::openai::Responses;
///
/// let gpt = Responses::builder().api_key("sk-...").max_retries(5).build()?;
/// let no_key_for_openai = Responses::builder().build();
/// assert!(no_key_for_openai.is_err());
/// # Ok::<(), haft::Error>(())
/// ```
#[must_use]
pub struct Builder {
    http: HttpSettings,
    headers: Headers,
    credentials: Credentials,
    previous: bool,
    provider_tools: bool,
}

reached_over_http!(Builder);
with_credentials!(Builder);

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            http: HttpSettings::new(OPENAI, PATH),
            headers: Headers::default(),
            credentials: Credentials::default(),
            previous: false,
            provider_tools: true,
        }
    }

    pub(super) fn from_env() -> Result<Self, Error> {
        let mut builder = Self::new();
        builder.credentials = Credentials::from_env()?;
        if let Some(base_url) = env(BASE_URL)? {
            builder = builder.base_url(base_url);
        } else if !builder.credentials.has_key() {
            return Err(Error::configuration(format!(
                "the environment has no {KEY}; set it to a key of OpenAI"
            )));
        }
        Ok(builder)
    }

    /// Whether replies are stored at OpenAI, so that each request sends only what is new, and names the reply before it
    /// (`previous_response_id`). Default: false: nothing is stored, and each request has all.
    ///
    /// The program's history stays the one that counts: where it was edited, or the API has lost a reply, all is sent
    /// again, and the run does not notice. It is one conversation for each provider; a clone has its own.
    pub const fn previous_response_id(mut self, previous: bool) -> Self {
        self.previous = previous;
        self
    }

    /// Whether the server has the tools that OpenAI defines. Default: true. A server that only speaks the API is offered
    /// ordinary functions in their place.
    pub const fn provider_tools(mut self, provider_tools: bool) -> Self {
        self.provider_tools = provider_tools;
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// Where there is no key for OpenAI's own API; where the base URL is none; where a header cannot be sent.
    pub fn build(mut self) -> Result<Responses, Error> {
        set_headers(&mut self.http, &self.credentials, &self.headers)?;
        Ok(Responses {
            http: HttpClient::new(self.http)?,
            previous: Previous::new(self.previous),
            has_own_tools: self.provider_tools,
        })
    }
}
