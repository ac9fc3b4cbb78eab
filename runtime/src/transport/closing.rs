//! [`Closing`]: bodies that have told all and are read to their end, so that their connections can be used again.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Response;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How long the end of a body is waited for: about what it takes to connect anew.
const LINGER: Duration = Duration::from_millis(100);
/// How long it takes until a connection can be used again whose body is at its end: another task has to run.
const HAND_BACK: Duration = Duration::from_millis(1);

/// The end of a body often comes a moment after its last event, and a body that is dropped before it takes the
/// connection with it. Nobody who has the reply waits for that; only the next request does.
#[derive(Clone, Debug, Default)]
pub(super) struct Closing(Arc<Mutex<Vec<JoinHandle<()>>>>);

impl Closing {
    /// Reads to the end, behind the back of who has the reply.
    pub(super) fn add(&self, mut response: Response) {
        // Where nothing can be done behind a back, it costs the connection.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let rest = async move {
            while let Ok(Some(_)) = response.chunk().await {}
            sleep(HAND_BACK).await;
        };
        // A server that leaves the body open costs the connection, too.
        let rest = runtime.spawn(async { timeout(LINGER, rest).await.unwrap_or_default() });
        self.lock().push(rest);
    }

    /// Until the bodies so far are at their end, so that a request finds their connections. Each is waited for once.
    pub(super) async fn wait(&self) {
        let bodies = mem::take(&mut *self.lock());
        // Limited here, too: a runtime that they were left to may stand still.
        let _ = timeout(LINGER, join_all(bodies)).await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
