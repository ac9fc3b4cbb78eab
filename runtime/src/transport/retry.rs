//! When a request is sent again, and after how long: the rules of the official SDKs.

use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::error::is_transient;

const FIRST_DELAY: f64 = 0.5;
const LONGEST_DELAY: f64 = 8.0;

/// How often, and how long a server may make us wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryPolicy {
    pub(crate) max_retries: usize,
    pub(crate) max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 2,
            max_delay: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// The delays where the server asks for none: `min(0.5 * 2^n, 8)` seconds, less up to a quarter by chance, so
    /// that clients which failed together do not come back together.
    pub(super) fn backoff(self) -> impl Iterator<Item = Duration> + Send + Sync + Unpin {
        (0..self.max_retries).map(|n| {
            let exponent = i32::try_from(n).unwrap_or(i32::MAX);
            let seconds = (FIRST_DELAY * 2_f64.powi(exponent)).min(LONGEST_DELAY);
            Duration::from_secs_f64(seconds * (1.0 - 0.25 * fastrand::f64()))
        })
    }

    /// Whether a wait that the server asks for is one that we make.
    pub(super) fn allows(self, retry_after: Option<Duration>) -> bool {
        retry_after.is_none_or(|wait| wait <= self.max_delay)
    }
}

/// Whether an error answer may be followed by a better one. The server's own word, `x-should-retry`, decides.
pub(super) fn is_retryable(status: StatusCode, headers: &HeaderMap) -> bool {
    match headers.get("x-should-retry").map(|value| value.as_bytes()) {
        Some(b"true") => true,
        Some(b"false") => false,
        _ => is_transient(status.as_u16()),
    }
}

/// How long the server asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(milliseconds) = text("retry-after-ms").and_then(number) {
        return duration(milliseconds / 1000.0);
    }
    let wait = text(RETRY_AFTER.as_str())?;
    match number(wait) {
        Some(seconds) => duration(seconds),
        None => httpdate::parse_http_date(wait)
            .ok()?
            .duration_since(now)
            .ok(),
    }
}

/// Only a wait that is one: 0, negative and absurd numbers leave it to the backoff.
fn duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|wait| !wait.is_zero())
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
            .collect()
    }

    #[test]
    fn statuses_that_are_worth_another_try() {
        let retried =
            |status: u16| is_retryable(StatusCode::from_u16(status).unwrap(), &HeaderMap::new());
        assert!(
            [408, 409, 429, 500, 502, 503, 504, 529]
                .into_iter()
                .all(retried)
        );
        assert!(![400, 401, 402, 403, 404, 413, 422].into_iter().any(retried));
    }

    // RN-21.
    #[test]
    fn the_servers_word_decides() {
        assert!(is_retryable(
            StatusCode::BAD_REQUEST,
            &headers(&[("x-should-retry", "true")])
        ));
        assert!(!is_retryable(
            StatusCode::INTERNAL_SERVER_ERROR,
            &headers(&[("x-should-retry", "false")])
        ));
    }

    // RN-21, T14 and T15.
    #[test]
    fn waits_in_every_spelling() {
        // 1994-11-06 08:49:37 is 784111777 s after the epoch; the header asks for the same moment 2 s later.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let wait = |pairs: &[_]| retry_after(&headers(pairs), now);
        assert_eq!(
            wait(&[("retry-after-ms", "30"), ("retry-after", "9")]),
            Some(Duration::from_millis(30))
        );
        assert_eq!(
            wait(&[("retry-after", "0.05")]),
            Some(Duration::from_millis(50))
        );
        assert_eq!(
            wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:39 GMT")]),
            Some(Duration::from_secs(2))
        );
        assert_eq!(
            wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:30 GMT")]),
            None,
            "in the past"
        );
        for nonsense in ["0", "-1", "NaN", "inf", "soon"] {
            assert_eq!(wait(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn backoff_doubles_up_to_eight_seconds() {
        let policy = RetryPolicy {
            max_retries: 7,
            ..RetryPolicy::default()
        };
        let delays: Vec<_> = policy.backoff().collect();
        let full = [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0];
        assert_eq!(delays.len(), full.len());
        for (delay, full) in delays.iter().zip(full) {
            let seconds = delay.as_secs_f64();
            assert!(
                seconds <= full && seconds >= full * 0.75,
                "{seconds} of {full}"
            );
        }
    }
}
