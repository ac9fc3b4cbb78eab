//! Bytes to a server and back. Knows HTTP and its retries, and no message.

mod http;
mod retry;

pub(crate) use self::http::{HttpAnswer, HttpClient, HttpSettings};
