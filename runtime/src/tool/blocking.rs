//! Functions that block, on a thread where they may: what an expansion of `#[tool(blocking)]` calls.

use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::{Call, CallContext, ToolError, ToolOutput};

/// What a call lends to a function, owned, so that another thread can lend it.
#[derive(Debug)]
pub struct Owned<S> {
    state: Arc<S>,
    context: Box<CallContext>,
}

/// The state and the context of a call, for another thread.
#[must_use]
pub fn own<S>(call: &Call<'_, S>) -> Owned<S> {
    Owned {
        state: Arc::clone(call.state),
        context: call.context.to_box(),
    }
}

impl<S> Owned<S> {
    /// The toolkit's state.
    #[must_use]
    pub fn state(&self) -> &S {
        &self.state
    }

    /// What the tool may know about the call.
    #[must_use]
    pub fn context(&self) -> &CallContext {
        &self.context
    }
}

/// Runs `work` on tokio's pool of threads that may block; outside of a tokio runtime here and now.
///
/// Where this is dropped, work that has begun runs on to its end, and its result is lost. Work that waits for a thread
/// does not run any more.
///
/// # Errors
/// That of `work`, and where the runtime shuts down before it has begun.
///
/// # Panics
/// Where `work` does.
pub async fn run_blocking<W>(work: W) -> Result<ToolOutput, ToolError>
where
    W: FnOnce() -> Result<ToolOutput, ToolError> + Send + 'static,
{
    let not_run = || ToolError::new("it was not run: the program is shutting down");
    on_pool(work).await.ok_or_else(not_run)?
}

/// As [`run_blocking`], for work of any kind; `None` where the runtime shuts down before it has begun.
///
/// # Panics
/// Where `work` does.
pub(crate) async fn on_pool<R, W>(work: W) -> Option<R>
where
    R: Send + 'static,
    W: FnOnce() -> R + Send + 'static,
{
    let Ok(runtime) = Handle::try_current() else {
        return Some(work());
    };
    let running = runtime.spawn_blocking(work);
    let _taken_back = TakenBack(running.abort_handle());
    match running.await {
        Ok(returned) => Some(returned),
        Err(error) => match error.try_into_panic() {
            // For dispatch, which tells it as that of any other tool.
            Ok(panic) => resume_unwind(panic),
            Err(_) => None,
        },
    }
}

/// Work that must not begin once its future is dropped: the model was told by then that it took too long, and may have
/// called again. tokio by itself would run it all the same.
struct TakenBack(AbortHandle);

impl Drop for TakenBack {
    fn drop(&mut self) {
        // Of no effect on what has begun.
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    use futures_util::FutureExt;
    use serde_json::json;

    use crate::__private::{Owned, Provide, own, run_blocking};
    use crate::{
        Call, CallContext, Tool, ToolDefinition, ToolFuture, ToolOutput, ToolResult, Toolkit,
    };

    /// What runs: it gets the state, and the context of the call.
    type Body = fn(&ThreadId, &CallContext) -> String;

    /// As `#[tool(blocking)]` expands, with the function in a field.
    struct Blocking {
        definition: ToolDefinition,
        body: Body,
    }

    impl<S> Tool<S> for Blocking
    where
        S: Send + Sync + 'static + Provide<ThreadId> + Provide<CallContext>,
    {
        fn definition(&self) -> &ToolDefinition {
            &self.definition
        }

        fn call<'call>(&'call self, call: Call<'call, S>) -> ToolFuture<'call> {
            let owned = own(&call);
            let body = self.body;
            Box::pin(async move {
                run_blocking(move || {
                    let (state, context) = (Owned::state(&owned), Owned::context(&owned));
                    let caller = Provide::<ThreadId>::provide_in(state, context);
                    let context = Provide::<CallContext>::provide_in(state, context);
                    Ok(ToolOutput::text(body(caller, context)))
                })
                .await
            })
        }
    }

    fn toolkit(body: Body, timeout: Duration) -> Toolkit {
        let definition = ToolDefinition::new("work", "", json!({"type": "object"})).unwrap();
        let definition = definition.with_timeout(timeout);
        Toolkit::new()
            .with(Blocking { definition, body })
            .unwrap()
            .with_state(thread::current().id())
    }

    fn whose_thread(caller: &ThreadId, context: &CallContext) -> String {
        let other = thread::current().id() != *caller;
        format!("{} on another thread: {other}", context.call_id())
    }

    async fn work(body: Body) -> ToolResult {
        toolkit(body, Duration::from_secs(60))
            .call("work", json!({}))
            .await
    }

    #[tokio::test]
    async fn it_runs_on_another_thread_with_state_and_context() {
        let told = work(whose_thread).await.text();
        assert_eq!(told, "call_1 on another thread: true");
    }

    #[test]
    fn outside_of_a_runtime_it_runs_here() {
        let told = work(whose_thread).now_or_never().unwrap().text();
        assert_eq!(told, "call_1 on another thread: false");
    }

    #[tokio::test]
    async fn a_panic_is_told_as_ever() {
        let told = work(|_, _| panic!("boom")).await.text();
        assert_eq!(told, "Error: Tool 'work' panicked: boom");
    }

    #[tokio::test]
    async fn a_thread_that_outlasts_its_timeout_is_not_waited_for() {
        let slow: Body = |_, _| {
            thread::sleep(Duration::from_millis(200));
            "late".to_owned()
        };
        let kit = toolkit(slow, Duration::from_millis(20));
        let told = kit.call("work", json!({})).await.text();
        assert_eq!(told, "Error: Tool 'work' timed out after 20ms");
    }

    #[test]
    fn what_waits_for_a_thread_is_not_run_after_its_timeout() {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let slow: Body = |_, _| {
            RUNS.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(100));
            String::new()
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let kit = toolkit(slow, Duration::from_millis(20));
        let call = || kit.call("work", json!({}));
        let (first, second) = runtime.block_on(async { tokio::join!(call(), call()) });
        assert!(first.is_error() && second.is_error());
        // Waits for the threads.
        drop(runtime);
        assert_eq!(RUNS.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_runtime_that_shuts_down_is_told() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let handle = runtime.handle().clone();
        drop(runtime);
        let _entered = handle.enter();
        let told = run_blocking(|| Ok(ToolOutput::text("done"))).now_or_never();
        assert_eq!(
            told.unwrap().unwrap_err().message(),
            "it was not run: the program is shutting down"
        );
    }
}
