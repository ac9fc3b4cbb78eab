//! [`Method`]: a tool out of an `impl` block, as an expansion of `#[tools]` makes it.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::{Entered, Inner, Toolkit};
use crate::tool::{Call, Tool, ToolDefinition, ToolFuture};

/// What a method's expansion does with a call.
type Answer<S> = for<'a> fn(Call<'a, S>) -> ToolFuture<'a>;

/// A tool out of an `impl` block. It needs no type of its own, since nothing names it.
pub struct Method<S> {
    definition: ToolDefinition,
    call: Answer<S>,
    origin: &'static Location<'static>,
}

/// A method that answers calls by `call`.
#[must_use]
#[track_caller]
pub fn method<S>(
    definition: ToolDefinition,
    call: for<'a> fn(Call<'a, S>) -> ToolFuture<'a>,
) -> Method<S> {
    Method {
        definition,
        call,
        origin: Location::caller(),
    }
}

/// A toolkit of methods whose names the macro has checked.
#[must_use]
pub fn from_methods<S: 'static, const N: usize>(methods: [Method<S>; N]) -> Toolkit<S> {
    let mut inner = Inner::with_capacity(N);
    for method in methods {
        let origin = method.origin;
        let tool: Arc<dyn Tool<S>> = Arc::new(method);
        inner.push(Entered { tool, origin });
    }
    Toolkit(Arc::new(inner))
}

impl<S> Tool<S> for Method<S> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        (self.call)(call)
    }
}

impl<S> fmt::Debug for Method<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Method")
            .field("definition", &self.definition)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;
    use crate::tool::ToolOutput;

    struct Github(&'static str);

    fn definition(name: &str) -> ToolDefinition {
        ToolDefinition::new(name, "", json!({"type": "object"})).unwrap()
    }

    /// As `#[tools]` expands an `impl Github` with two methods.
    fn tools() -> Toolkit<Github> {
        let issues = method::<Github>(definition("issues"), |call| {
            Box::pin(async move { Ok(ToolOutput::text(format!("issues of {}", call.state().0))) })
        });
        let pulls = method::<Github>(definition("pulls"), |call| {
            let id = call.context().call_id();
            Box::pin(async move { Ok(ToolOutput::text(id)) })
        });
        from_methods([issues, pulls])
    }

    #[tokio::test]
    async fn methods_answer_by_their_state() {
        let kit = tools().with_state(Github("haft"));
        assert_eq!(kit.names().collect::<Vec<_>>(), ["issues", "pulls"]);
        assert_eq!(kit.call("issues", json!({})).await.text(), "issues of haft");
        assert_eq!(kit.call("pulls", json!({})).await.text(), "call_1");
    }

    #[test]
    fn a_duplicate_names_the_methods_places() {
        let error = tools().extend(tools()).unwrap_err().to_string();
        assert_eq!(error.matches("method.rs:").count(), 2, "{error}");
    }

    #[test]
    fn a_method_is_a_tool_whatever_its_state() {
        fn name<S, T: Tool<S>>(tool: &T) -> &str {
            tool.definition().name()
        }
        let method = method::<Cell<u8>>(definition("odd"), |_| {
            Box::pin(async { Ok(ToolOutput::default()) })
        });
        assert!(format!("{method:?}").starts_with("Method { definition: "));
        assert_eq!(name(&method), "odd");
    }
}
