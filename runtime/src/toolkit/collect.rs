//! `Toolkit::collect`: the tools that `#[tool(collect)]` has put down all over a program.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::{Entered, Toolkit};
use crate::error::Error;
use crate::tool::{Call, Tool, ToolDefinition, ToolFuture};

/// A tool that was put down, and where.
pub struct Collected {
    tool: &'static dyn Tool,
    origin: &'static Location<'static>,
}

inventory::collect!(Collected);

/// What an expansion of `#[tool(collect)]` puts down.
#[must_use]
#[track_caller]
pub const fn collected<T: NeedsNoState>(tool: &'static T) -> Collected {
    Collected {
        tool,
        origin: Location::caller(),
    }
}

/// A tool that needs no state: a name for `Tool<()>`, so that the error is about `collect`.
#[diagnostic::on_unimplemented(
    message = "tool `{Self}` must not be collected, because it takes state",
    label = "`Toolkit::collect` has no state for its references",
    note = "put it in a `toolkit![..]`, and bind its state by `with_state`"
)]
pub trait NeedsNoState: Tool {}

#[diagnostic::do_not_recommend]
impl<T: Tool> NeedsNoState for T {}

/// A tool that stands in a static, as one of a toolkit.
struct Borrowed(&'static dyn Tool);

impl Tool for Borrowed {
    fn definition(&self) -> &ToolDefinition {
        self.0.definition()
    }

    fn call<'a>(&'a self, call: Call<'a>) -> ToolFuture<'a> {
        self.0.call(call)
    }
}

impl fmt::Debug for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {}", self.tool.definition().name(), self.origin)
    }
}

impl Toolkit {
    /// All `#[tool(collect)]` functions of the program, sorted by name.
    ///
    /// For programs whose tools stand in many modules or crates. They must need no state: what takes a `&T` does not
    /// compile with `collect`. The list is put together by the linker, so it has the tools of every crate that is
    /// linked into the program. A crate that is only a dependency in Cargo.toml, and that no code names, is not
    /// linked: `use its_name as _;` is enough.
    ///
    /// `toolkit![..]` says what a program's tools are where one can read it; prefer it where the list is short.
    ///
    /// This needs the feature `collect`.
    ///
    /// ```
    /// use haft::Toolkit;
    ///
    /// # fn main() -> Result<(), haft::Error> {
    /// let kit = Toolkit::collect()?;
    /// for definition in kit.definitions() {
    ///     println!("{}: {}", definition.name(), definition.description());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where two of them have one name. The error names both places of the program.
    pub fn collect() -> Result<Self, Error> {
        gather(inventory::iter::<Collected>)
    }
}

fn gather<'a>(collected: impl IntoIterator<Item = &'a Collected>) -> Result<Toolkit, Error> {
    let enter = |collected: &Collected| Entered {
        tool: Arc::new(Borrowed(collected.tool)),
        origin: collected.origin,
    };
    let mut tools: Vec<_> = collected.into_iter().map(enter).collect();
    // The linker's order is none. Of two with one name the places decide, so that the error stays the same.
    tools.sort_by(|a, b| {
        let name = |entered: &Entered<()>| entered.tool.definition().name().to_owned();
        (name(a), a.origin).cmp(&(name(b), b.origin))
    });
    Toolkit::new().with_all(tools)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::FunctionTool;

    fn tool(name: &str) -> &'static FunctionTool {
        let schema = json!({"type": "object"});
        let tool = FunctionTool::from_schema(name, "", schema, |_: Value| async { "ok" });
        Box::leak(Box::new(tool.unwrap()))
    }

    #[test]
    fn tools_are_sorted_by_name() {
        let (b, a) = (collected(tool("b")), collected(tool("a")));
        let kit = gather([&b, &a]).unwrap();
        assert_eq!(kit.names().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn two_of_one_name_are_an_error_whatever_the_linkers_order() {
        let first = collected(tool("a"));
        let second = collected(tool("a"));
        let error = |order| gather(order).unwrap_err().to_string();
        assert!(error([&first, &second]).starts_with("two tools are named `a`, from "));
        assert_eq!(error([&first, &second]), error([&second, &first]));
        assert_eq!(error([&first, &second]).matches("collect.rs:").count(), 2);
    }
}
