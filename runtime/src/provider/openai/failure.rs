//! From an answer that is no reply to an [`Error`], in all the shapes that servers of these APIs give it.

use serde_json::Value;

use crate::error::Error;
use crate::provider::failure::{self, Told};
use crate::transport::HttpAnswer;

/// The header with the id of a request.
pub(super) const REQUEST_ID: &str = "x-request-id";

/// Reads an error answer, or an error in a stream, whatever its body is. What a person should not see has been taken out.
pub(super) fn error(answer: &HttpAnswer) -> Error {
    let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let mut told = body.as_ref().map_or_else(Told::default, told);
    told.request_id = answer.header(REQUEST_ID);
    let words = [&told.code, &told.kind];
    let says = |word: &str| words.iter().any(|own| own.as_deref() == Some(word));
    let retryable = if says("insufficient_quota") || says("credit_balance_exhausted") {
        // It does not pass by itself.
        Some(false)
    } else if says("tool_use_failed") {
        // The model has written a call that cannot be read: asked again, it writes another.
        Some(true)
    } else if answer.status.is_success() {
        // The status says nothing of a failure in a stream.
        Some(
            words
                .iter()
                .any(|word| word.as_deref().is_some_and(is_transient)),
        )
    } else {
        None
    };
    failure::error(answer, "the server", told, retryable)
}

/// Whether a failure of this code or type may pass.
fn is_transient(word: &str) -> bool {
    match word.parse::<u16>() {
        // Some servers have numbers of their own, beyond those of HTTP.
        Ok(code) => code < 600 && crate::error::is_transient(code),
        Err(_) => matches!(
            word,
            "server_error"
                | "rate_limit_exceeded"
                | "rate_limit_error"
                | "overloaded_error"
                | "timeout"
        ),
    }
}

/// What a body says: the error is an object in it, in a list of it, a text in it, or the body itself.
pub(super) fn told(body: &Value) -> Told {
    let body = match body {
        Value::Array(list) => list.first().unwrap_or(body),
        body => body,
    };
    // The last event of a stream has it in the response.
    let errors = ["/error", "/response/error"].into_iter();
    let mut errors = errors.filter_map(|at| body.pointer(at));
    let error = errors.find(|error| error.is_object()).unwrap_or(body);
    // Each field is where the server has it, in the error or beside it.
    let word = |key: &str| error.get(key).or_else(|| body.get(key)).and_then(word);
    let text = |key: &str| body.get(key).and_then(Value::as_str).map(str::to_owned);
    // The type of the event itself says nothing.
    let kind = word("type")
        .or_else(|| word("status"))
        .filter(|kind| kind != "error" && !kind.starts_with("response."));
    Told {
        kind,
        message: word("message")
            .or_else(|| text("error"))
            .or_else(|| detail(body))
            .or_else(|| body.as_str().map(str::to_owned))
            .or_else(|| incomplete(body)),
        code: word("code"),
        request_id: None,
    }
}

/// A text, or a number as text.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        // Where it is a list of what is wrong, each with its place.
        Value::Object(_) | Value::Array(_) => Some(value.to_string()),
        Value::Null | Value::Bool(_) => None,
    }
}

/// What servers in Python say of a body that they cannot read.
fn detail(body: &Value) -> Option<String> {
    body.get("detail").and_then(word)
}

/// What a response that failed says of itself, where it has no error.
fn incomplete(body: &Value) -> Option<String> {
    let reason = body.pointer("/response/incomplete_details/reason")?;
    Some(format!("the response is incomplete: {}", reason.as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_of_all_servers_are_read() {
        let cases = [
            (
                json!({"error": {"message": "m", "type": "t", "param": null, "code": "c"}}),
                (Some("t"), Some("m"), Some("c")),
            ),
            (json!({"error": "m"}), (None, Some("m"), None)),
            (
                json!({"message": "m", "code": "1500", "object": "error", "type": "t"}),
                (Some("t"), Some("m"), Some("1500")),
            ),
            (
                json!({"error": {"code": 400, "message": "m", "type": "t"}}),
                (Some("t"), Some("m"), Some("400")),
            ),
            (
                json!({"code": "c", "error": "m"}),
                (None, Some("m"), Some("c")),
            ),
            (
                json!([{"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED"}}]),
                (Some("RESOURCE_EXHAUSTED"), Some("m"), Some("429")),
            ),
            (
                json!({"type": "error", "code": "c", "message": "m", "param": null}),
                (None, Some("m"), Some("c")),
            ),
            (
                json!({"type": "error", "error": {"type": "t", "code": "c", "message": "m"}}),
                (Some("t"), Some("m"), Some("c")),
            ),
            (json!({"detail": "m"}), (None, Some("m"), None)),
            (json!("m"), (None, Some("m"), None)),
            (
                json!({"response": {"error": null, "incomplete_details": {"reason": "r"}}}),
                (None, Some("the response is incomplete: r"), None),
            ),
            (json!({}), (None, None, None)),
        ];
        for (body, expected) in cases {
            let told = told(&body);
            let got = (
                told.kind.as_deref(),
                told.message.as_deref(),
                told.code.as_deref(),
            );
            assert_eq!(got, expected, "{body}");
        }
    }

    #[test]
    fn a_number_of_a_servers_own_is_no_status() {
        for (code, may_pass) in [
            ("503", true),
            ("429", true),
            ("400", false),
            ("1500", false),
            ("3280", false),
        ] {
            assert_eq!(is_transient(code), may_pass, "{code}");
        }
    }
}
