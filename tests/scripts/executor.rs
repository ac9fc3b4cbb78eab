//! Runs a future by hand: it may be dropped after any poll, and one that waits for nothing is found out.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// More polls than any turn of a script takes.
const MOST_POLLS: usize = 100_000;

/// Remembers that it was woken.
struct Flag {
    is_woken: AtomicBool,
    thread: Thread,
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Flag {
    /// Whether it was woken, or is in time.
    fn is_woken_within(&self, patience: Duration) -> bool {
        if self.is_woken.swap(false, Ordering::SeqCst) {
            return true;
        }
        let end = Instant::now() + patience;
        while !self.is_woken.swap(false, Ordering::SeqCst) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::park_timeout(left);
        }
        true
    }
}

/// Polls a future until it is ready, or as often as the limit says: then it is dropped, and `None` comes back.
/// `before` is told the number of each poll, and may wake the future. A future that is not ready, and that nothing wakes
/// for as long as the patience lasts, hangs.
pub(crate) fn run<F: Future>(
    future: F,
    limit: Option<usize>,
    patience: Duration,
    mut before: impl FnMut(usize),
) -> Result<Option<F::Output>, &'static str> {
    let flag = Arc::new(Flag {
        is_woken: AtomicBool::new(true),
        thread: thread::current(),
    });
    let waker = Waker::from(Arc::clone(&flag));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    for poll in 0..MOST_POLLS {
        if limit.is_some_and(|limit| poll >= limit) {
            return Ok(None);
        }
        before(poll);
        if !flag.is_woken_within(patience) {
            return Err("it hangs: nothing wakes it");
        }
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Ok(Some(output));
        }
    }
    Err("it does not end")
}

/// Lets others go on, so many times.
pub(crate) async fn wait(times: usize) {
    for _ in 0..times {
        pause(true).await;
    }
}

/// Comes back once, and says whether it is to be polled again.
pub(crate) async fn pause(wakes: bool) {
    let mut is_back = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_back, true) {
            return Poll::Ready(());
        }
        if wakes {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    })
    .await;
}
