//! [`HttpRequest`]: what is posted.

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName};

use super::secret;
use crate::error::Error;

/// What is posted.
#[derive(Clone, Debug)]
pub(crate) struct HttpRequest {
    pub(crate) body: Bytes,
    /// Beside the client's; one of the same name replaces the client's.
    pub(crate) headers: HeaderMap,
}

impl HttpRequest {
    /// With no headers but the client's.
    pub(crate) fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            headers: HeaderMap::new(),
        }
    }

    /// With a header.
    ///
    /// # Errors
    /// Where the value cannot be one.
    pub(crate) fn with_header(mut self, name: HeaderName, value: &str) -> Result<Self, Error> {
        let value = secret::header_value(name.as_str(), value)?;
        self.headers.insert(name, value);
        Ok(self)
    }
}
