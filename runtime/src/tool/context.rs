//! [`CallContext`]: what a tool may know about the call that it answers.

use std::sync::Arc;

use crate::message::Identity;

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
    turn: usize,
    #[allow(dead_code, reason = "it is what makes the type unsized")]
    tail: Tail,
}

impl CallContext {
    /// One that can stand in a frame, for `&context` to lend as a `&CallContext`: a box would be an allocation in each
    /// call.
    pub(crate) fn new(identity: &Arc<Identity>, turn: usize) -> CallContext<[(); 0]> {
        CallContext {
            identity: Arc::clone(identity),
            turn,
            tail: [],
        }
    }

    /// For the result, which is the context's heir: to share is not free.
    pub(crate) fn into_identity(context: CallContext<[(); 0]>) -> Arc<Identity> {
        context.identity
    }

    /// A copy, for another thread.
    pub(crate) fn to_box(&self) -> Box<Self> {
        Box::new(Self::new(&self.identity, self.turn))
    }

    /// One for a test that calls a tool's function by itself: of the call `call_1` of the tool
    /// `test` in the first turn.
    #[must_use]
    pub fn for_test() -> Box<Self> {
        Box::new(Self::new(&Identity::new("call_1", "test"), 1))
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

    /// How many replies the run had received when this call came, itself counted: 1 for those of the
    /// first reply, 0 outside a run.
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.turn
    }
}
