//! [`Bound`]: a tool together with the state that it takes.

use std::sync::Arc;

use super::{Entered, Inner, Toolkit};
use crate::tool::{Call, Tool, ToolDefinition, ToolFuture};

/// A tool over a state, as one that needs none.
struct Bound<S> {
    tool: Arc<dyn Tool<S>>,
    state: Arc<S>,
}

impl<S: Send + Sync> Tool for Bound<S> {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
        self.tool.call(call.over(&self.state))
    }
}

impl<S: Send + Sync + 'static> Toolkit<S> {
    /// The toolkit with the state that its tools take, ready for a runner. Toolkits of different
    /// states can be joined by [`extend`](Self::extend) after that.
    ///
    /// ```
    /// use haft::{Toolkit, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// struct Prices(Vec<(&'static str, f64)>);
    ///
    /// /// Look up what something costs.
    /// #[tool]
    /// async fn price(prices: &Prices, /// What to buy.
    ///     article: String) -> Option<f64> {
    ///     prices.0.iter().find(|(name, _)| *name == article).map(|(_, price)| *price)
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let kit: Toolkit = toolkit![price].with_state(Prices(vec![("bread", 3.5)]));
    /// assert_eq!(kit.call("price", json!({"article": "bread"})).await.text(), "3.5");
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_state(self, state: S) -> Toolkit {
        self.with_shared_state(Arc::new(state))
    }

    /// As [`with_state`](Self::with_state), of a state that others hold too.
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "the state is handed over")]
    pub fn with_shared_state(self, state: Arc<S>) -> Toolkit {
        let mut inner = Inner::with_capacity(self.0.tools.len());
        for Entered { tool, origin } in &self.0.tools {
            let bound = Bound {
                tool: Arc::clone(tool),
                state: Arc::clone(&state),
            };
            inner.push(Entered {
                tool: Arc::new(bound),
                origin,
            });
        }
        Toolkit(Arc::new(inner))
    }
}
