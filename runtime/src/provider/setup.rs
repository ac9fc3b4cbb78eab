//! What the builders of all providers have: how the server is reached.

use std::env::VarError;

use crate::error::Error;
use crate::transport::HttpSettings;

/// A header that the program adds: kept as it was given, and judged when the provider is built.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    pub(super) fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// # Errors
    /// Where one cannot be sent.
    pub(super) fn set(&self, http: &mut HttpSettings) -> Result<(), Error> {
        let mut headers = self.0.iter();
        headers.try_for_each(|(name, value)| http.header(name, value))
    }
}

/// The methods of a builder with the fields `http: HttpSettings` and `headers: Headers`.
macro_rules! reached_over_http {
    ($builder:ty) => {
        impl $builder {
            /// A further header. One of a name that haft sets too replaces it.
            pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
                self.headers.push(name.into(), value.into());
                self
            }

            /// How often a request that failed is sent again. Default: 2. Retried are the statuses 408, 409, 429 and
            /// from 500, and failures of the connection; the server's header `x-should-retry` overrules that. A stream
            /// is asked for again only as long as nothing of it was handed on. What an attempt took that was followed by
            /// another one is not in the [`Usage`](crate::Usage) of the reply.
            pub fn max_retries(mut self, retries: usize) -> Self {
                self.http.retry.max_retries = retries;
                self
            }

            /// The longest wait that a server may ask for before a retry; where it asks for more, its error is returned,
            /// and [`retry_after`](crate::Error::retry_after) tells the wait. Default: 60 s.
            pub fn max_retry_delay(mut self, delay: ::std::time::Duration) -> Self {
                self.http.retry.max_delay = delay;
                self
            }

            /// How long one attempt may take, from its start to the end of the reply. Of a reply that is streamed, to
            /// the beginning of the answer: how long the rest may take is said by
            /// [`idle_timeout`](Self::idle_timeout). Default: 10 minutes.
            pub fn timeout(mut self, timeout: ::std::time::Duration) -> Self {
                self.http.timeout = timeout;
                self
            }

            /// How long a reply that is streamed may pause: where nothing comes for longer, not even a sign of life, the
            /// connection counts as lost. A stream that goes on has no limit. Default: 5 minutes.
            pub fn idle_timeout(mut self, timeout: ::std::time::Duration) -> Self {
                self.http.idle_timeout = timeout;
                self
            }

            /// How long connecting may take. Default: 5 s. Not for a client given by
            /// [`http_client`](Self::http_client).
            pub fn connect_timeout(mut self, timeout: ::std::time::Duration) -> Self {
                self.http.connect_timeout = timeout;
                self
            }

            /// A client of one's own (`haft::reqwest`), for a proxy, certificates, or a shared pool of connections. Let
            /// it follow no redirects: they would take the key to another server.
            pub fn http_client(mut self, client: ::reqwest::Client) -> Self {
                self.http.client = Some(client);
                self
            }
        }
    };
}

pub(super) use reached_over_http;

/// A key or token, if one was given. White space around it comes from files and shells, and is never a part of it.
pub(super) fn secret(given: Option<&str>) -> Option<&str> {
    given.map(str::trim).filter(|secret| !secret.is_empty())
}

/// A variable of the environment; an empty one counts as none.
pub(super) fn env(name: &str) -> Result<Option<String>, Error> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.trim().is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(Error::configuration(format!(
            "{name} in the environment is not UTF-8"
        ))),
    }
}

/// Whether the environment has a variable, good or bad.
pub(super) fn is_in_env(name: &str) -> bool {
    !matches!(env(name), Ok(None))
}
