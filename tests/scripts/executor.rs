//! Runs a future without a runtime: it may be dropped after any poll, and one that waits for nothing is found out.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// More polls than any turn of a script takes.
const MOST_POLLS: usize = 100_000;

/// Remembers that it was woken.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Polls a future until it is ready, or as often as the limit says: then it is dropped, and `None` comes back.
/// `before` is told the number of each poll, and may wake the future. A future that is not ready and was not woken
/// hangs.
pub(crate) fn run<F: Future>(
    future: F,
    limit: Option<usize>,
    mut before: impl FnMut(usize),
) -> Result<Option<F::Output>, &'static str> {
    let flag = Arc::new(Flag(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&flag));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    for poll in 0..MOST_POLLS {
        if limit.is_some_and(|limit| poll >= limit) {
            return Ok(None);
        }
        before(poll);
        if !flag.0.swap(false, Ordering::SeqCst) {
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
        let mut is_back = false;
        poll_fn(|context| {
            if std::mem::replace(&mut is_back, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}
