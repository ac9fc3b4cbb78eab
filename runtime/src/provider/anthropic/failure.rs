//! From an answer that is no reply to an [`Error`].

use serde::de::IgnoredAny;
use serde_json::Value;

use super::accumulate::broken;
use super::content::place;
use super::wire;
use crate::error::{Answer, Error, ErrorKind};
use crate::transport::HttpAnswer;

/// Reads an error answer, or an error in a stream, whatever its body is. What a person should not see has been taken out.
pub(super) fn error(answer: &HttpAnswer) -> Error {
    let body: Option<wire::ErrorBody> = serde_json::from_slice(&answer.body).ok();
    let told = body.map_or_else(Told::default, Told::of);
    let mut headers = answer.to_answer();
    // A status of success says nothing of the failure: it comes with streams, and from some servers that speak this API.
    if answer.status.is_success() && answer.header("x-should-retry").is_none() {
        headers.retryable = told.kind.as_deref().is_some_and(is_transient);
    }
    let request_id = answer.header("request-id").or(told.request_id);
    let mut line = format!("Anthropic answered {}", answer.status);
    line.extend(told.kind.map(|kind| format!(", {kind}")));
    line.push_str(&match &told.message {
        Some(message) => format!(": {message}"),
        None => without_message(answer),
    });
    line.extend(request_id.as_ref().map(|id| format!(" (request {id})")));
    (headers.request_id, headers.message) = (request_id, told.message);
    headers.code = told.code;
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    Error::new(ErrorKind::Api, line)
        .with_answer(headers)
        .with_source(text)
}

/// Whether a failure of this type may pass.
fn is_transient(kind: &str) -> bool {
    matches!(
        kind,
        "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error"
    )
}

fn without_message(answer: &HttpAnswer) -> String {
    if let Some(location) = answer.header("location") {
        return format!(": it redirects to {location}; is the base URL right?");
    }
    if serde_json::from_slice::<IgnoredAny>(&answer.body).is_ok() {
        return " without a message".to_owned();
    }
    let (kind, length) = (content_type(answer), answer.body.len());
    format!(" with a body that is not the API's ({kind}, {length} bytes)")
}

/// What the body of an error says.
#[derive(Default)]
struct Told {
    kind: Option<String>,
    message: Option<String>,
    code: Option<String>,
    request_id: Option<String>,
}

impl Told {
    fn of(body: wire::ErrorBody) -> Self {
        let code = |details: Value| details.get("error_code")?.as_str().map(str::to_owned);
        let (kind, message, code) = match body.error {
            Some(wire::ErrorDetail::Full {
                kind,
                message,
                details,
            }) => (kind, message, details.and_then(code)),
            Some(wire::ErrorDetail::Text(text)) => (None, Some(text), None),
            None => (None, None, None),
        };
        Self {
            kind,
            message: message.or(body.message),
            code,
            request_id: body.request_id,
        }
    }
}

/// A stream in which nothing came that is an event, such as one that is packed: how it came says why.
pub(super) fn no_event(answer: &HttpAnswer) -> Error {
    let (kind, status) = (content_type(answer), answer.status);
    broken(&format!(
        "the server's stream has no event of the Messages API ({kind}, status {status})"
    ))
}

/// A body that is no reply is often a page of a proxy, so the content type is told with it.
pub(super) fn not_a_reply(answer: &HttpAnswer, error: &serde_json::Error) -> Error {
    let (kind, length) = (content_type(answer), answer.body.len());
    Error::protocol(format!(
        "the server's answer is not a reply of the Messages API: {} ({kind}, {length} bytes){}",
        place(error),
        if kind.contains("json") {
            ""
        } else {
            "; is the base URL right?"
        }
    ))
}

/// An error about a reply that came whole, with what else is known of it.
pub(super) fn unreadable(error: Error, answer: &HttpAnswer) -> Error {
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    of_reply(error, answer.status.as_u16(), answer.header("request-id")).with_source(body)
}

/// An error about a reply, with the request's id. Where the server told the error, it has that already.
pub(super) fn of_reply(error: Error, status: u16, request_id: Option<String>) -> Error {
    if error.kind() != ErrorKind::Protocol {
        return error;
    }
    let mut line = error.to_string();
    line.extend(request_id.as_ref().map(|id| format!(" (request {id})")));
    Error::protocol(line).with_answer(Answer {
        status,
        request_id,
        retryable: error.is_retryable(),
        ..Answer::default()
    })
}

/// The type of the body, and how it is packed: gzip was not asked for and is not read.
fn content_type(answer: &HttpAnswer) -> String {
    let kind = answer
        .header("content-type")
        .unwrap_or_else(|| "no content type".to_owned());
    match answer.header("content-encoding") {
        Some(encoding) => format!("{kind}, {encoding}"),
        None => kind,
    }
}
