//! [`CallContext`]: what a tool may know about the call that it answers.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use tokio_util::sync::{CancellationToken, DropGuard};

use crate::api::Api;
use crate::message::{Content, Identity};

/// What a call outside of a run has.
static NEVER: LazyLock<CancellationToken> = LazyLock::new(CancellationToken::new);

/// What a run lends to its calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lent {
    /// The replies so far.
    pub(crate) turn: usize,
    pub(crate) cancellation: Option<CancellationToken>,
    /// Where progress is told; nowhere, where nobody listens.
    pub(crate) progress: Option<ProgressSink>,
    /// Whose names a model knows; without one, the toolkit's own.
    pub(crate) api: Option<Api>,
}

/// Takes what calls tell of their progress.
#[derive(Clone)]
pub(crate) struct ProgressSink(Arc<Tell>);

/// Takes the id of a call, and what it tells.
type Tell = dyn Fn(&str, Content) + Send + Sync;

impl ProgressSink {
    /// `tell` is given the id of the call.
    pub(crate) fn new(tell: impl Fn(&str, Content) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressSink(..)")
    }
}

/// What a tool may know about the call that it answers.
///
/// A `#[tool]` function takes it by reference, and a [`Tool`](crate::Tool) gets it from
/// [`Call::context`](crate::Call::context). Only references to it can be had, and in a test a box.
///
/// ```
/// use haft::{CallContext, tool};
///
/// /// Pay the bill.
/// #[tool]
/// async fn pay(call: &CallContext, amount: u32) -> String {
///     // Providers may use an id again in a later reply, so the turn belongs to the key.
///     format!("paid {amount}, by the key {}-{}", call.turn(), call.call_id())
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// assert_eq!(pay(&CallContext::for_test(), 3).await, "paid 3, by the key 1-call_1");
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
// Unsized by its last field, which is always empty: `impl<T> Provide<T> for T` is for sized types
// only, and so leaves room for the one implementation that gives every state a context.
#[derive(Debug)]
pub struct CallContext<Tail: ?Sized = [()]> {
    identity: Arc<Identity>,
    lent: Lent,
    /// Cancels the copies on other threads when the call is over, however it ends.
    copies: OnceLock<(CancellationToken, DropGuard)>,
    /// Whether the tool has looked at its token.
    is_watched: AtomicBool,
    #[allow(dead_code, reason = "it is what makes the type unsized")]
    tail: Tail,
}

impl CallContext {
    /// One that can stand in a frame, for `&context` to lend as a `&CallContext`: a box would be an allocation in each
    /// call.
    pub(crate) fn new(identity: &Arc<Identity>, lent: Lent) -> CallContext<[(); 0]> {
        CallContext {
            identity: Arc::clone(identity),
            lent,
            copies: OnceLock::new(),
            is_watched: AtomicBool::new(false),
            tail: [],
        }
    }

    /// For the result, which is the context's heir: to share is not free.
    pub(crate) fn into_identity(context: CallContext<[(); 0]>) -> Arc<Identity> {
        context.identity
    }

    /// A copy, for another thread. Nothing drops what runs there, so it is told when the call is over.
    pub(crate) fn to_box(&self) -> Box<Self> {
        let (token, _) = self.copies.get_or_init(|| {
            let token = match self.token() {
                Some(token) => token.child_token(),
                None => CancellationToken::new(),
            };
            (token.clone(), token.drop_guard())
        });
        let lent = Lent {
            cancellation: Some(token.clone()),
            ..self.lent.clone()
        };
        Box::new(Self::new(&self.identity, lent))
    }

    /// One for a test that calls a tool's function by itself: of the call `call_1` of the tool
    /// `test` in the first turn.
    #[must_use]
    pub fn for_test() -> Box<Self> {
        let lent = Lent {
            turn: 1,
            ..Lent::default()
        };
        Box::new(Self::new(&Identity::new("call_1", "test"), lent))
    }

    /// The id that the provider gave the call; unique within one reply.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.identity.id
    }

    /// The name that the tool was called by.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.identity.name
    }

    /// The name that the model has used: [`tool_name`](Self::tool_name), but for a tool that the API defines. Of a
    /// toolset's member, it is the member's.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        self.identity.wire_name()
    }

    /// How many replies the run had received when this call came, itself counted: 1 for those of the
    /// first reply, 0 outside a run. A reply that was cut counts where its calls had
    /// [started by then](crate::Runner::eager).
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.lent.turn
    }

    /// What tells that the call is no longer wanted: the run was [cancelled](crate::Runner::set_cancellation).
    ///
    /// A tool that would leave something half done waits for it beside its work, and has 5 seconds to end then. One
    /// that has not looked at it is dropped at once. In a blocking tool, which nothing drops, it also tells that the
    /// call's time is over, or that its turn was dropped.
    ///
    /// ```
    /// use haft::{CallContext, tool};
    /// # async fn upload(_: &str) -> String { String::new() }
    /// # async fn take_back(_: &str) {}
    ///
    /// /// Upload a file.
    /// #[tool]
    /// async fn upload_file(call: &CallContext, path: String) -> Result<String, String> {
    ///     tokio::select! {
    ///         address = upload(&path) => Ok(address),
    ///         () = call.cancellation().cancelled() => {
    ///             take_back(&path).await;
    ///             Err("cancelled; nothing was uploaded".to_owned())
    ///         }
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        self.is_watched.store(true, Ordering::Relaxed);
        self.token().unwrap_or(&NEVER)
    }

    /// The token of the run, if it has one; for who runs the call.
    pub(crate) const fn token(&self) -> Option<&CancellationToken> {
        self.lent.cancellation.as_ref()
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched.load(Ordering::Relaxed)
    }

    /// Whether the call is no longer wanted; see [`cancellation`](Self::cancellation).
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation().is_cancelled()
    }

    /// Tells those who follow the run ([`Event::ToolProgress`](crate::Event::ToolProgress)) how far the call is. The
    /// model is not told; where nobody follows, nothing happens.
    ///
    /// ```
    /// use haft::{CallContext, tool};
    ///
    /// /// Count slowly.
    /// #[tool]
    /// async fn count(call: &CallContext, to: u32) -> u32 {
    ///     for n in 1..=to {
    ///         call.progress(format!("{n} of {to}"));
    ///     }
    ///     to
    /// }
    /// ```
    pub fn progress(&self, content: impl Into<Content>) {
        if let Some(ProgressSink(tell)) = &self.lent.progress {
            tell(&self.identity.id, content.into());
        }
    }
}
