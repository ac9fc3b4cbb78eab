//! What an expansion of `#[tool]` calls: from what the macro read to a definition, and from what the
//! function returned to an output.

use serde_json::Value;

use super::{ErrorTag, IntoToolOutput, ToolDefinition, ToolError, ToolOutput, ToolReturn};
use crate::arguments::{self, Parameters};
use crate::schema::for_each;

/// The definition of a function, of which the macro has checked the name.
pub fn define(
    name: &'static str,
    description: &'static str,
    parameters: &impl Parameters,
) -> ToolDefinition {
    let (schema, mut faults) = parameters.schema();
    faults.append(&mut unfit_defaults(schema.as_value()));
    let definition = ToolDefinition::from_checked(name.to_owned(), description.to_owned(), schema);
    definition
        .with_provided(parameters.provided())
        .with_faults(faults)
}

/// Defaults of fields that the field's own schema refuses. (Those of parameters are looked at with
/// the parameter.)
fn unfit_defaults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for_each(schema, &mut |path, node| {
        let properties = node.get("properties").and_then(Value::as_object);
        for (key, property) in properties.into_iter().flatten().filter(|_| path != "$") {
            let default = property.get("default");
            if let Some(why) = default.and_then(|value| arguments::misfit(schema, property, value))
            {
                faults.push(format!(
                    "{path}.properties.{key}.default: is not what its schema allows ({why}); \
                     change it or the bounds"
                ));
            }
        }
    });
    faults
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
) -> Result<Result<ToolOutput, ToolError>, ErrorTag<E>> {
    returned
        .into_result()
        .map(IntoToolOutput::into_tool_output)
        .map_err(ErrorTag)
}
