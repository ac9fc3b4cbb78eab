//! [`Listed`]: what `toolkit!` asks of each path.

/// A type that `#[tool]` has made, so that its path is all there is to say.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "only functions with `#[tool]` can be listed here",
    note = "a `haft::FunctionTool`, or a type with `haft::Tool`, is a value: add it by `Toolkit::with`",
    note = "the methods of a `#[tools]` block come together, from its `tools()` or `into_toolkit()`"
)]
pub trait Listed: Sized {
    /// The type itself. (Without it, a type that is no tool would be a second error where it is put
    /// in a toolkit.)
    type Tool;
    /// The tool.
    const TOOL: Self::Tool;
    /// The name that the model calls it by.
    const TOOL_NAME: &'static str;
}
