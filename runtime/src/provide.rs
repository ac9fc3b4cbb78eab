//! [`Provide`]: what a toolkit's state has for its tools.

use std::sync::LazyLock;

use crate::message::Identity;
use crate::tool::{CallContext, Lent};

/// A state that has a `T` for the tools that ask for one by reference.
///
/// Every type provides itself. One with several parts derives it, or implements it by hand where a
/// part is made differently, or is a trait object (which then needs its `'static` written out):
///
/// ```
/// use haft::{Provide, State, Toolkit, tool, toolkit};
/// use haft::serde_json::json;
///
/// struct Prices(f64);
/// trait Clock: Send + Sync {
///     fn hour(&self) -> u8;
/// }
/// struct Noon;
/// impl Clock for Noon {
///     fn hour(&self) -> u8 {
///         12
///     }
/// }
///
/// #[derive(State)]
/// struct App {
///     prices: Prices,
///     #[state(skip)]
///     clock: Noon,
/// }
///
/// impl Provide<dyn Clock> for App {
///     fn provide(&self) -> &(dyn Clock + 'static) {
///         &self.clock
///     }
/// }
///
/// /// What a taxi costs now.
/// #[tool]
/// async fn taxi(prices: &Prices, clock: &dyn Clock, kilometres: f64) -> String {
///     let factor = if clock.hour() > 22 { 2.0 } else { 1.0 };
///     format!("{:.2} euros", prices.0 * kilometres * factor)
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = toolkit![taxi].with_state(App { prices: Prices(1.5), clock: Noon });
/// assert_eq!(kit.call("taxi", json!({"kilometres": 4})).await.text(), "6.00 euros");
/// # });
/// # Ok::<(), std::io::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the toolkit's state `{Self}` does not provide a `{T}`",
    label = "a tool of this toolkit takes a `&{T}`",
    note = "bind a state that has one: `toolkit![..].with_state(state)`, or `with_shared_state(arc)` where it is in an `Arc`",
    note = "a state of several parts derives `haft::State`, or implements `haft::Provide<{T}>`"
)]
pub trait Provide<T: ?Sized> {
    /// The part.
    fn provide(&self) -> &T;

    /// The part, in a call.
    #[doc(hidden)]
    fn provide_in<'a>(&'a self, _: &'a CallContext) -> &'a T {
        self.provide()
    }
}

impl<T> Provide<T> for T {
    fn provide(&self) -> &T {
        self
    }
}

/// Whatever the state, a call has its context.
impl<S> Provide<CallContext> for S {
    fn provide(&self) -> &CallContext {
        static OUTSIDE: LazyLock<CallContext<[(); 0]>> =
            LazyLock::new(|| CallContext::new(&Identity::new("", ""), Lent::default()));
        &*OUTSIDE
    }

    fn provide_in<'a>(&'a self, context: &'a CallContext) -> &'a CallContext {
        context
    }
}
