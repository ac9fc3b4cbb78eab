//! [`HttpClient`]: posts JSON to one server, with its headers, timeouts and retries.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use backon::Retryable;
use bytes::{Bytes, BytesMut};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::request::HttpRequest;
use super::retry::{self, RetryPolicy};
use super::secret;
use super::stream::HttpStream;
use crate::error::{Answer, Error, ErrorKind};

/// How a server is reached. What builders of providers share.
#[derive(Clone, Debug)]
pub(crate) struct HttpSettings {
    pub(crate) base_url: String,
    pub(crate) path: &'static str,
    pub(crate) headers: HeaderMap,
    pub(crate) retry: RetryPolicy,
    /// For all of a plain request, and for a streamed one until its answer begins.
    pub(crate) timeout: Duration,
    /// For each wait for the next bytes of a stream.
    pub(crate) idle_timeout: Duration,
    pub(crate) connect_timeout: Duration,
    pub(crate) client: Option<reqwest::Client>,
}

impl HttpSettings {
    /// For the method at `path` below a base URL.
    pub(crate) fn new(base_url: &str, path: &'static str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            path,
            headers: HeaderMap::from_iter([(
                CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            )]),
            retry: RetryPolicy::default(),
            timeout: Duration::from_secs(600),
            idle_timeout: Duration::from_secs(300),
            connect_timeout: Duration::from_secs(5),
            client: None,
        }
    }

    /// Sets a header; one of the same name is replaced. Values of the headers that carry
    /// credentials are never printed.
    pub(crate) fn header(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let name = HeaderName::try_from(name).map_err(|error| {
            // The name is not in the error: name and value are easily swapped.
            let reason = "the name of a header has characters that a name cannot have";
            Error::configuration(reason).with_source(error)
        })?;
        let value = secret::header_value(name.as_str(), value)?;
        self.headers.insert(name, value);
        Ok(())
    }
}

/// How much is read of an error's body: a server that has gone wild is not to fill the memory.
const LONGEST_ERROR: usize = 1 << 20;

/// Posts JSON to one server. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct HttpClient {
    client: reqwest::Client,
    /// Where all is posted to, read once.
    url: Url,
    /// The address without path and credentials, for errors.
    origin: Arc<str>,
    headers: HeaderMap,
    retry: RetryPolicy,
    timeout: Duration,
    idle_timeout: Duration,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub(crate) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl HttpAnswer {
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name)?.to_str().ok().map(str::to_owned)
    }

    /// What the headers of an error answer say; the codec adds what its body says.
    pub(crate) fn to_answer(&self) -> Answer {
        Answer {
            status: self.status.as_u16(),
            retry_after: retry::retry_after(&self.headers, SystemTime::now()),
            retryable: retry::is_retryable(self.status, &self.headers),
            ..Answer::default()
        }
    }
}

impl HttpClient {
    /// # Errors
    /// Where the base URL is none, or TLS cannot be set up.
    pub(crate) fn new(settings: HttpSettings) -> Result<Self, Error> {
        let base_url = settings.base_url.trim_end_matches('/');
        let (url, origin) = url_and_origin(base_url, settings.path)?;
        let client = match settings.client {
            Some(client) => client,
            None => default_client(settings.connect_timeout, origin.starts_with("https:"))?,
        };
        Ok(Self {
            client,
            url,
            origin: origin.into(),
            headers: settings.headers,
            retry: settings.retry,
            timeout: settings.timeout,
            idle_timeout: settings.idle_timeout,
        })
    }

    /// The address without path and credentials.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// The value of a header that each request has.
    pub(crate) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// How long a plain request may take.
    pub(crate) const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Posts `body` until an answer is good and `read` makes something of it, or no retry is left. `error_of` reads an
    /// error answer.
    ///
    /// # Errors
    /// The last failure.
    pub(crate) async fn post<T>(
        &self,
        request: HttpRequest,
        error_of: fn(&HttpAnswer) -> Error,
        read: impl Fn(HttpAnswer) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let read = &read;
        self.retrying(|| {
            let answer = self.attempt(request.clone(), error_of);
            async move { read(answer.await?) }
        })
        .await
    }

    /// Posts `body` until an answer is good and `begin` has read the start of its stream, or no retry is left.
    ///
    /// What `begin` fails with is retried like any failure, so it should read until the first content: only what
    /// nobody has seen yet can be asked for again. What it gives back, with the rest of the stream, is never retried.
    ///
    /// # Errors
    /// The last failure.
    pub(crate) async fn open<T, F>(
        &self,
        request: HttpRequest,
        error_of: fn(&HttpAnswer) -> Error,
        begin: impl Fn(HttpStream) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let begin = &begin;
        self.retrying(|| {
            let stream = self.attempt_stream(request.clone(), error_of);
            async move { begin(stream.await?).await }
        })
        .await
    }

    async fn retrying<T, F>(&self, attempt: impl FnMut() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        attempt
            .retry(self.retry.backoff())
            .sleep(tokio::time::sleep)
            .when(|error: &Error| error.is_retryable() && self.retry.allows(error.retry_after()))
            .adjust(|error, backoff| backoff.map(|backoff| error.retry_after().unwrap_or(backoff)))
            .await
    }

    async fn attempt(
        &self,
        request: HttpRequest,
        error_of: fn(&HttpAnswer) -> Error,
    ) -> Result<HttpAnswer, Error> {
        let response = self.send(request, self.timeout).await?;
        let answer = self.whole(response).await?;
        if answer.status.is_success() {
            Ok(answer)
        } else {
            Err(error_of(&self.readable(answer)))
        }
    }

    async fn attempt_stream(
        &self,
        request: HttpRequest,
        error_of: fn(&HttpAnswer) -> Error,
    ) -> Result<HttpStream, Error> {
        let answer = async {
            // A stream takes as long as it takes, also where a client of the program's own has a limit.
            let response = self.send(request, Duration::MAX).await?;
            if response.status().is_success() {
                return Ok(HttpStream::new(self.clone(), response));
            }
            let answer = self.whole(response).await?;
            Err(error_of(&self.readable(answer)))
        };
        tokio::time::timeout(self.timeout, answer)
            .await
            .unwrap_or_else(|_| Err(self.unanswered()))
    }

    async fn send(
        &self,
        request: HttpRequest,
        timeout: Duration,
    ) -> Result<reqwest::Response, Error> {
        let posted = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .headers(request.headers)
            .timeout(timeout)
            .body(request.body);
        posted.send().await.map_err(|error| self.failure(error))
    }

    /// The answer with its body: of an error, as much as anybody reads.
    async fn whole(&self, mut response: reqwest::Response) -> Result<HttpAnswer, Error> {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = if status.is_success() {
            let body = response.bytes().await;
            body.map_err(|error| self.failure(error))?
        } else {
            self.beginning(&mut response).await?
        };
        Ok(HttpAnswer {
            status,
            headers,
            body,
        })
    }

    async fn beginning(&self, response: &mut reqwest::Response) -> Result<Bytes, Error> {
        let mut body = BytesMut::new();
        while body.len() < LONGEST_ERROR {
            let chunk = response.chunk().await;
            match chunk.map_err(|error| self.failure(error))? {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => break,
            }
        }
        body.truncate(LONGEST_ERROR);
        Ok(body.freeze())
    }

    /// An answer that a person may read: a server may repeat the key that it refuses.
    pub(crate) fn readable(&self, mut answer: HttpAnswer) -> HttpAnswer {
        answer.body = secret::redact(&answer.body, &self.headers);
        answer
    }

    pub(super) const fn idle_timeout(&self) -> Duration {
        self.idle_timeout
    }

    fn unanswered(&self) -> Error {
        let (origin, limit) = (&self.origin, seconds(self.timeout));
        let words = format!("{origin} did not answer within {limit}, the `timeout`");
        Error::new(ErrorKind::Timeout, words)
    }

    /// A failure without an answer. The URL is taken out: it may hold credentials.
    pub(super) fn failure(&self, error: reqwest::Error) -> Error {
        let error = error.without_url();
        let origin = &self.origin;
        if error.is_timeout() && !error.is_connect() {
            return self.unanswered().with_source(error);
        }
        let (kind, words) = if error.is_connect() {
            (
                ErrorKind::Connection,
                format!("{origin} cannot be reached: {}", root_cause(&error)),
            )
        } else if error.is_builder() {
            (
                ErrorKind::Request,
                format!(
                    "the request to {origin} cannot be made: {}",
                    root_cause(&error)
                ),
            )
        } else {
            (
                ErrorKind::Connection,
                format!("the connection to {origin} broke: {}", root_cause(&error)),
            )
        };
        Error::new(kind, words).with_source(error)
    }
}

pub(super) fn seconds(timeout: Duration) -> String {
    format!("{} s", timeout.as_secs_f64())
}

/// The innermost cause says what happened; those around it say only that a request failed.
fn root_cause(error: &dyn StdError) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

fn url_and_origin(base_url: &str, path: &str) -> Result<(Url, String), Error> {
    let refused = |reason: String| {
        Error::configuration(format!(
            "the base URL {reason}; give one such as `https://api.example.com`"
        ))
    };
    let parse = |url: &str| {
        Url::parse(url)
            .map_err(|error| refused(format!("is not a URL ({error})")).with_source(error))
    };
    let url = parse(base_url)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refused(
            "has a query or a fragment, behind which no path can go".to_owned(),
        ));
    }
    match (url.scheme(), url.host_str()) {
        ("http" | "https", Some(_)) => {
            let whole = parse(&format!("{base_url}{path}"))?;
            Ok((whole, url.origin().ascii_serialization()))
        }
        (scheme, _) => Err(refused(format!("has the scheme `{scheme}`"))),
    }
}

fn default_client(connect_timeout: Duration, secure: bool) -> Result<reqwest::Client, Error> {
    let failed = |error: Box<dyn StdError + Send + Sync>| {
        Error::configuration(format!("no HTTP client can be made: {error}")).with_source(error)
    };
    reqwest::Client::builder()
        .user_agent(concat!("haft/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect_timeout)
        .tcp_keepalive(Duration::from_secs(60))
        // A redirect would take the key to another server, and turn the request into another one.
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls(secure).map_err(|error| failed(error.into()))?)
        .build()
        .map_err(|error| failed(error.into()))
}

/// TLS with the program's own cryptography where it has chosen one, else with ring; certificates are judged by the
/// system.
///
/// For a server without TLS no certificates are loaded: that takes milliseconds, and fails on machines that have none.
fn tls(secure: bool) -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = rustls::crypto::CryptoProvider::get_default()
        .cloned()
        .unwrap_or_else(|| Arc::new(rustls::crypto::ring::default_provider()));
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?;
    let config = if secure {
        config.with_platform_verifier()?
    } else {
        config.with_root_certificates(rustls::RootCertStore::empty())
    };
    Ok(config.with_no_client_auth())
}
