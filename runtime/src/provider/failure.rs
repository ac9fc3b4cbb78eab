//! What the errors of all codecs say alike, of an answer that is no reply.

use serde::de::IgnoredAny;

use crate::error::{Answer, Error, ErrorKind};
use crate::transport::HttpAnswer;

/// What the body of an error says.
#[derive(Default)]
pub(super) struct Told {
    pub(super) kind: Option<String>,
    pub(super) message: Option<String>,
    pub(super) code: Option<String>,
    pub(super) request_id: Option<String>,
}

/// The error of an answer, by what its body says; `server` is what the line calls who answered. What a person should
/// not see has been taken out.
pub(super) fn error(
    answer: &HttpAnswer,
    server: &str,
    told: Told,
    retryable: Option<bool>,
) -> Error {
    let mut headers = answer.to_answer();
    if answer.header("x-should-retry").is_none()
        && let Some(retryable) = retryable
    {
        headers.retryable = retryable;
    }
    let mut line = format!("{server} answered {}", answer.status);
    line.extend(told.kind.map(|kind| format!(", {kind}")));
    line.push_str(&match &told.message {
        Some(message) => format!(": {message}"),
        None => without_message(answer),
    });
    let request_id = told.request_id;
    line.extend(request_id.as_ref().map(|id| format!(" (request {id})")));
    (headers.request_id, headers.message) = (request_id, told.message);
    headers.code = told.code;
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    Error::new(ErrorKind::Api, line)
        .with_answer(headers)
        .with_source(text)
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

/// A stream in which nothing came that is an event of the API, such as one that is packed: how it came says why.
pub(super) fn no_event(answer: &HttpAnswer, api: &str) -> Error {
    let (kind, status) = (content_type(answer), answer.status);
    broken(&format!(
        "the server's stream has no event of {api} ({kind}, status {status})"
    ))
}

/// A body that is no reply is often a page of a proxy, so the content type is told with it.
pub(super) fn not_a_reply(answer: &HttpAnswer, api: &str, error: &serde_json::Error) -> Error {
    let (kind, length) = (content_type(answer), answer.body.len());
    Error::protocol(format!(
        "the server's answer is not a reply of {api}: {} ({kind}, {length} bytes){}",
        place(error),
        if kind.contains("json") {
            ""
        } else {
            "; is the base URL right?"
        }
    ))
}

/// An error about a reply that came whole, with what else is known of it.
pub(super) fn unreadable(error: Error, answer: &HttpAnswer, request_id: Option<String>) -> Error {
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    of_reply(error, answer.status.as_u16(), request_id).with_source(body)
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

/// A reply of which the rest has not come. The same request may be answered better.
pub(super) fn cut() -> Error {
    broken("the stream ended before the reply had a stop reason and all of its blocks")
}

/// A stream that is not whole.
pub(super) fn broken(reason: &str) -> Error {
    Error::protocol(reason).with_answer(Answer {
        status: 200,
        retryable: true,
        ..Answer::default()
    })
}

/// A block that cannot be read, by its place.
pub(super) fn misplaced(list: &str, at: usize, reason: &str) -> Error {
    Error::protocol(format!("{list}[{at}]: {reason}"))
}

/// Where JSON is not what it should be. serde's own words would quote the body.
pub(super) fn place(error: &serde_json::Error) -> String {
    let what = if error.is_data() {
        "not the expected data"
    } else {
        "no JSON"
    };
    format!("{what} at line {} column {}", error.line(), error.column())
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
