//! What the builders of both APIs have: the key, and whose it is.

use super::Server;
use crate::error::Error;
use crate::provider::setup::{Headers, env, secret};
use crate::transport::HttpSettings;

pub(super) const KEY: &str = "OPENAI_API_KEY";
pub(super) const BASE_URL: &str = "OPENAI_BASE_URL";
/// Where OpenAI's own API is.
pub(super) const OPENAI: &str = "https://api.openai.com/v1";

/// The key, and the headers that go with it.
#[derive(Clone, Default)]
pub(super) struct Credentials {
    pub(super) key: Option<String>,
    pub(super) organization: Option<String>,
    pub(super) project: Option<String>,
}

impl Credentials {
    /// From the environment, as the official SDKs have it.
    pub(super) fn from_env() -> Result<Self, Error> {
        Ok(Self {
            key: env(KEY)?,
            organization: env("OPENAI_ORG_ID")?,
            project: env("OPENAI_PROJECT_ID")?,
        })
    }

    /// Sets the headers, whether there is a key or not.
    ///
    /// # Errors
    /// Where one cannot be sent.
    pub(super) fn set(&self, http: &mut HttpSettings) -> Result<(), Error> {
        if let Some(key) = secret(self.key.as_deref()) {
            http.header("authorization", &format!("Bearer {key}"))?;
        }
        let headers = [
            ("openai-organization", &self.organization),
            ("openai-project", &self.project),
        ];
        for (name, value) in headers {
            if let Some(value) = value {
                http.header(name, value)?;
            }
        }
        Ok(())
    }

    pub(super) fn has_key(&self) -> bool {
        secret(self.key.as_deref()).is_some()
    }
}

/// Where a server is, as it was given.
///
/// # Errors
/// Where the base URL is that of a method, which haft adds itself.
pub(super) fn check_base_url(base_url: &str) -> Result<(), Error> {
    let methods = ["/chat/completions", "/responses"];
    let base_url = base_url.trim_end_matches('/');
    match methods.iter().find(|method| base_url.ends_with(*method)) {
        Some(method) => Err(Error::configuration(format!(
            "the base URL ends in `{method}`, which haft adds itself; leave it out"
        ))),
        None => Ok(()),
    }
}

/// All that is sent as headers.
///
/// # Errors
/// Where one cannot be sent, the base URL cannot be right, or OpenAI has no key.
pub(super) fn set_headers(
    http: &mut HttpSettings,
    credentials: &Credentials,
    headers: &Headers,
) -> Result<(), Error> {
    check_base_url(&http.base_url)?;
    credentials.set(http)?;
    headers.set(http)?;
    let is_openai = Server::at(&http.base_url) == Server::OpenAi;
    if is_openai && !credentials.has_key() && !http.headers.contains_key("authorization") {
        return Err(Error::configuration(format!(
            "OpenAI needs a key: give `api_key`, or set {KEY} and use `from_env`; for another server, give `base_url`"
        )));
    }
    Ok(())
}

/// The methods of a builder with the fields `http: HttpSettings` and `credentials: Credentials`.
macro_rules! with_credentials {
    ($builder:ty) => {
        impl $builder {
            /// The key, sent as `authorization: Bearer`.
            pub fn api_key(mut self, key: impl Into<String>) -> Self {
                self.credentials.key = Some(key.into());
                self
            }

            /// The organization whose account is used, where a key is of several.
            pub fn organization(mut self, id: impl Into<String>) -> Self {
                self.credentials.organization = Some(id.into());
                self
            }

            /// The project whose account is used, where a key is of several.
            pub fn project(mut self, id: impl Into<String>) -> Self {
                self.credentials.project = Some(id.into());
                self
            }

            /// The address, with its version: what stands before the name of the method, as the official SDKs take it.
            /// Default: `https://api.openai.com/v1`.
            pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
                self.http.base_url = base_url.into();
                self
            }
        }

        /// Without the key, and without the base URL, which may hold a password.
        impl ::std::fmt::Debug for $builder {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Builder").finish_non_exhaustive()
            }
        }
    };
}

pub(super) use with_credentials;
