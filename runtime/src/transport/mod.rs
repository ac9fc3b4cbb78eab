//! Bytes to a server and back. Knows HTTP and its retries, and no message.

mod http;
mod request;
mod retry;
mod secret;
mod sse;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use self::http::{HttpAnswer, HttpClient, HttpSettings};
pub(crate) use self::request::HttpRequest;
pub(crate) use self::{sse::Frame, stream::HttpStream};
