//! From an answer that is no reply to an [`Error`].

use serde_json::Value;

use super::wire;
use crate::error::Error;
use crate::provider::failure::{self, Told};
use crate::transport::HttpAnswer;

/// The header with the id of a request.
pub(super) const REQUEST_ID: &str = "request-id";

/// Reads an error answer, or an error in a stream, whatever its body is. What a person should not see has been taken out.
pub(super) fn error(answer: &HttpAnswer) -> Error {
    let body: Option<wire::ErrorBody> = serde_json::from_slice(&answer.body).ok();
    let mut told = body.map_or_else(Told::default, told);
    told.request_id = answer.header(REQUEST_ID).or(told.request_id);
    // A status of success says nothing of the failure: it comes with streams, and from some servers that speak this API.
    let is_transient = || told.kind.as_deref().is_some_and(is_transient);
    let retryable = answer.status.is_success().then(is_transient);
    failure::error(answer, "Anthropic", told, retryable)
}

/// Whether a failure of this type may pass.
fn is_transient(kind: &str) -> bool {
    matches!(
        kind,
        "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error"
    )
}

/// What the body of an error says.
fn told(body: wire::ErrorBody) -> Told {
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
    Told {
        kind,
        message: message.or(body.message),
        code,
        request_id: body.request_id,
    }
}
