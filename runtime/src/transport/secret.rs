//! Credentials in headers: known as such, and kept out of errors.

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::error::Error;

/// The headers that carry credentials.
const SECRET_HEADERS: &[&str] = &[
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
];

/// The value of a header, marked where it is secret. It is not in the error: it may be a key.
pub(super) fn header_value(name: &str, value: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(value).map_err(|error| {
        let reason = "has characters that a header cannot carry, such as a line end";
        Error::configuration(format!("the value of the header `{name}` {reason}"))
            .with_source(error)
    })?;
    value.set_sensitive(SECRET_HEADERS.contains(&name));
    Ok(value)
}

/// A shorter secret is no secret but a placeholder for a local server, and stands in ordinary words.
const SECRET_LENGTH: usize = 8;

/// `body` with the values of secret headers made unreadable.
pub(super) fn redact(body: &Bytes, headers: &HeaderMap) -> Bytes {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for secret in headers.values().filter(|value| value.is_sensitive()) {
        let secret = secret.to_str().unwrap_or_default();
        // `Bearer KEY`: the key is the secret.
        let secret = secret.rsplit_once(' ').map_or(secret, |(_, key)| key);
        if secret.len() >= SECRET_LENGTH && text.contains(secret) {
            text = text.replace(secret, "***");
        }
    }
    Bytes::from(text)
}
