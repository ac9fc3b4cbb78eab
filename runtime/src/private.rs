//! What expansions name: re-exports, and the few functions that only they call. Not for programs.

use std::sync::Arc;

pub use crate::arguments::{Parameter, Parameters, parameter, read};
use crate::error::ToolError;
use crate::schema::InputSchema;
pub use crate::tool::{
    ErrorKind, FromBoxed, FromDisplay, FromError, FromToolError, FromUnknown, IntoToolOutput,
    ToolReturn,
};
use crate::tool::{Tool, ToolDefinition, ToolOutput};
use crate::toolkit::Toolkit;
pub use crate::toolkit::names_are_distinct;

/// The definition of a function, of which the macro has checked the name.
pub fn define(
    name: &'static str,
    description: &'static str,
    parameters: &impl Parameters,
) -> ToolDefinition {
    let mut properties = Vec::new();
    parameters.for_each(&mut |property| properties.push(property));
    let schema = InputSchema::of_properties(&properties);
    ToolDefinition::from_checked(name.to_owned(), description.to_owned(), schema)
}

/// A toolkit of which the macro has checked the names.
#[must_use]
pub fn toolkit<S>(tools: Vec<Arc<dyn Tool<S>>>) -> Toolkit<S> {
    Toolkit::from_distinct(tools)
}

/// A tool's description that is known only after macros, such as one from `include_str!`.
#[must_use]
#[track_caller]
pub const fn description(text: &'static str) -> &'static str {
    let text = text.trim_ascii();
    assert!(
        !text.is_empty(),
        "a tool must be described: the model chooses it by its description, and this one is blank"
    );
    text
}

/// A parameter's description that is known only after macros.
#[must_use]
pub const fn text(text: &'static str) -> &'static str {
    text.trim_ascii()
}

/// What a function returned: its output, or its own error, whose conversion the expansion chooses.
///
/// One bound for both halves, so that a type which cannot be returned gives one error.
///
/// # Errors
/// The function's own.
pub fn returned<R: ToolReturn<Err = E>, E>(
    returned: R,
) -> Result<Result<ToolOutput, ToolError>, ErrorKind<E>> {
    returned
        .into_result()
        .map(IntoToolOutput::into_tool_output)
        .map_err(ErrorKind)
}
