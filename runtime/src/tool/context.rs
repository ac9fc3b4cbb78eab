//! [`CallContext`]: what a tool may know about the call that it answers.

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
    call_id: String,
    tool_name: String,
    turn: usize,
    #[allow(dead_code, reason = "it is what makes the type unsized")]
    tail: Tail,
}

impl CallContext {
    pub(crate) fn new(call_id: &str, tool_name: &str, turn: usize) -> Box<Self> {
        Box::new(CallContext {
            call_id: call_id.to_owned(),
            tool_name: tool_name.to_owned(),
            turn,
            tail: [(); 0],
        })
    }

    /// A copy, for another thread.
    pub(crate) fn to_box(&self) -> Box<Self> {
        Self::new(&self.call_id, &self.tool_name, self.turn)
    }

    /// One for a test that calls a tool's function by itself: of the call `call_1` of the tool
    /// `test` in the first turn.
    #[must_use]
    pub fn for_test() -> Box<Self> {
        Self::new("call_1", "test", 1)
    }

    /// The id that the provider gave the call; unique within one reply.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The name that the tool was called by.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.tool_name
    }

    /// How many replies the run had received when this call came, itself counted: 1 for those of the
    /// first reply, 0 outside a run.
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.turn
    }
}
