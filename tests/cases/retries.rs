//! When a request is sent again, after which wait, and what ends the wait.

use std::time::{Duration, Instant};

use haft::serde_json::json;
use haft::{CancellationToken, Outcome};
use haft_tests::server::ServerReply;
use tokio::time::{sleep, timeout};

use crate::case::{Case, Mode};
use crate::events::stream;

fn failing(status: u16) -> ServerReply {
    let error = json!({"type": "error", "error": {"type": "some_error", "message": "No"}});
    ServerReply::json(status, &error)
}

/// A server that fails so, and then answers.
async fn once(mode: Mode, failure: ServerReply) -> Case {
    Case::start(mode, vec![failure, mode.says("Hello!")]).await
}

/// How long a run takes that is answered in the end.
async fn took(case: &mut Case) -> Duration {
    let begun = Instant::now();
    assert_eq!(case.run().await.unwrap().reply.text(), "Hello!");
    assert_eq!(case.bodies().len(), 2);
    begun.elapsed()
}

/// Short enough to tell it from any other wait of a case.
const SOON: Duration = Duration::from_millis(300);

#[tokio::test]
async fn rn_21_the_wait_in_milliseconds_is_the_one_that_is_kept_to() {
    for mode in Mode::ALL {
        let failure = failing(429).header("retry-after-ms", "20");
        let mut case = once(mode, failure.header("retry-after", "9")).await;
        let wait = took(&mut case).await;
        assert!(
            wait >= Duration::from_millis(20) && wait < SOON,
            "{mode:?}: {wait:?}"
        );
    }
}

#[tokio::test]
async fn rn_21_the_server_may_forbid_another_try() {
    for mode in Mode::STREAMS {
        let mut case = once(mode, failing(500).header("x-should-retry", "false")).await;
        assert_eq!(case.run().await.unwrap_err().status(), Some(500));
        assert_eq!(case.bodies().len(), 1, "{mode:?}");
    }
}

#[tokio::test]
async fn rn_21_the_server_may_want_another_try() {
    for mode in Mode::STREAMS {
        let failure = failing(400).header("x-should-retry", "true");
        let mut case = once(mode, failure.header("retry-after-ms", "1")).await;
        assert!(took(&mut case).await < SOON, "{mode:?}");
    }
}

/// An error in a stream, or where the reply would be, comes with a status that says nothing.
#[tokio::test]
async fn rn_21_the_servers_word_holds_with_a_status_of_success_too() {
    let failed = |mode, kind: &str| {
        let error = json!({"type": "error", "error": {"type": kind, "message": "No"}});
        match mode {
            Mode::Plain => ServerReply::json(200, &error),
            Mode::Streamed | Mode::Folded => stream(&[error]),
        }
    };
    for mode in Mode::ALL {
        let failure = failed(mode, "overloaded_error").header("x-should-retry", "false");
        let mut case = once(mode, failure).await;
        assert!(!case.run().await.unwrap_err().is_retryable());
        assert_eq!(case.bodies().len(), 1, "{mode:?}");
        let failure = failed(mode, "odd_error").header("x-should-retry", "true");
        let mut case = once(mode, failure.header("retry-after-ms", "1")).await;
        assert!(took(&mut case).await < SOON, "{mode:?}");
    }
}

#[tokio::test]
async fn rn_21_t_14_a_wait_beyond_the_longest_is_told_and_not_made() {
    for mode in Mode::ALL {
        for seconds in [61, 90, 3600] {
            let failure = failing(429).header("retry-after", &seconds.to_string());
            let mut case = once(mode, failure).await;
            let error = case.run().await.unwrap_err();
            assert_eq!(error.retry_after(), Some(Duration::from_secs(seconds)));
            assert!(error.is_retryable());
            assert_eq!(case.bodies().len(), 1, "{mode:?}");
            assert_eq!(case.run().await.unwrap().reply.text(), "Hello!");
        }
    }
}

/// Longer than the first wait that haft would choose, which is half a second.
const LONGER: Duration = Duration::from_millis(600);

#[tokio::test]
async fn t_14_a_wait_within_the_longest_is_made() {
    async fn waited(mode: Mode) {
        let case = once(mode, failing(429).header("retry-after", "0.6")).await;
        let mut case = case.set(|provider| provider.max_retry_delay(LONGER));
        let wait = took(&mut case).await;
        assert!(wait >= LONGER, "{mode:?}: {wait:?}");
        let case = once(mode, failing(429).header("retry-after", "0.601")).await;
        let mut case = case.set(|provider| provider.max_retry_delay(LONGER));
        let error = case.run().await.unwrap_err();
        assert_eq!(error.retry_after(), Some(Duration::from_millis(601)));
    }
    tokio::join!(
        waited(Mode::Plain),
        waited(Mode::Streamed),
        waited(Mode::Folded)
    );
}

#[tokio::test]
async fn t_15_a_wait_that_is_none_leaves_it_to_the_backoff() {
    async fn waited(mode: Mode, wait: &str) {
        let mut case = once(mode, failing(429).header("retry-after", wait)).await;
        let took = took(&mut case).await;
        // Half a second, less up to a quarter; and what the machine takes.
        assert!(
            took >= Duration::from_millis(375),
            "{mode:?} {wait}: {took:?}"
        );
        assert!(took < Duration::from_secs(5), "{mode:?} {wait}: {took:?}");
    }
    for wait in ["-5", "soon"] {
        tokio::join!(
            waited(Mode::Plain, wait),
            waited(Mode::Streamed, wait),
            waited(Mode::Folded, wait)
        );
    }
}

/// How long the server wants the client to wait.
const WAIT: Duration = Duration::from_millis(600);

#[tokio::test]
async fn t_16_a_run_that_is_cancelled_while_it_waits_ends_at_once() {
    for mode in Mode::ALL {
        let mut case = once(mode, failing(429).header("retry-after-ms", "600")).await;
        let token = CancellationToken::new();
        case.runner.set_cancellation(token.clone());
        let cancel = async {
            sleep(Duration::from_millis(150)).await;
            token.cancel();
            Instant::now()
        };
        let (end, cancelled) = tokio::join!(case.run(), cancel);
        assert_eq!(end.unwrap().outcome, Outcome::Cancelled);
        assert!(cancelled.elapsed() < SOON, "{mode:?}: at once");
        sleep(WAIT).await;
        assert_eq!(case.bodies().len(), 1, "{mode:?}: and no more is sent");
    }
}

#[tokio::test]
async fn t_16_a_turn_that_is_dropped_while_it_waits_sends_no_more() {
    for mode in Mode::ALL {
        let mut case = once(mode, failing(429).header("retry-after-ms", "600")).await;
        assert!(
            timeout(Duration::from_millis(150), case.next())
                .await
                .is_err()
        );
        assert_eq!(case.bodies().len(), 1, "{mode:?}");
        sleep(WAIT).await;
        assert_eq!(case.bodies().len(), 1, "{mode:?}: and no more is sent");
        assert_eq!(
            case.run().await.unwrap().reply.text(),
            "Hello!",
            "the run goes on"
        );
    }
}
