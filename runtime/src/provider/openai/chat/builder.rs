//! [`Builder`]: how a [`Chat`] is set up.

use super::{Chat, PATH, Server};
use crate::error::Error;
use crate::provider::openai::credentials::{
    BASE_URL, Credentials, KEY, OPENAI, set_headers, with_credentials,
};
use crate::provider::setup::{Headers, env, reached_over_http};
use crate::transport::{HttpClient, HttpSettings};

/// Sets up a [`Chat`]: see its methods for the defaults. [`build`](Self::build) tells what is wrong.
///
/// ```
/// use haft::openai::Chat;
///
/// let groq = Chat::builder().base_url("https://api.groq.com/openai/v1").api_key("gsk_...").build()?;
/// let no_key_for_openai = Chat::builder().build();
/// assert!(no_key_for_openai.is_err());
/// # Ok::<(), haft::Error>(())
/// ```
#[must_use]
pub struct Builder {
    http: HttpSettings,
    headers: Headers,
    credentials: Credentials,
    server: Option<Server>,
}

reached_over_http!(Builder);
with_credentials!(Builder);

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            http: HttpSettings::new(OPENAI, PATH),
            headers: Headers::default(),
            credentials: Credentials::default(),
            server: None,
        }
    }

    pub(super) fn from_env() -> Result<Self, Error> {
        let base_url = env(BASE_URL)?;
        let mut builder = Self::new();
        builder.credentials = Credentials::from_env()?;
        if base_url.is_none() && !builder.credentials.has_key() {
            return Err(Error::configuration(format!(
                "the environment has neither {KEY} nor {BASE_URL}; set the first to a key of OpenAI, or the second to the \
                 address of a server that speaks its API"
            )));
        }
        if let Some(base_url) = base_url {
            builder = builder.base_url(base_url);
        }
        Ok(builder)
    }

    /// Whose API it is, where the base URL does not tell. Default: the one at the base URL's host, else
    /// [`Server::Other`].
    pub const fn server(mut self, server: Server) -> Self {
        self.server = Some(server);
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// Where there is no key for OpenAI's own API; where the base URL is none; where a header cannot be sent.
    pub fn build(mut self) -> Result<Chat, Error> {
        set_headers(&mut self.http, &self.credentials, &self.headers)?;
        let server = self
            .server
            .unwrap_or_else(|| Server::at(&self.http.base_url));
        Ok(Chat {
            http: HttpClient::new(self.http)?,
            server,
        })
    }
}
