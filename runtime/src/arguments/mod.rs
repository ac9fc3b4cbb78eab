//! From the model's JSON to the arguments of a function, with all that is wrong with it said at once.
//!
//! There are two passes along the table of parameters. The first is fast, takes only what is right in every way, and
//! has no words. Where it gives up, the second walks along the schema and finds every problem. What the first takes,
//! the second would take too, with the same values.
//!
//! Input that is nested deeper than 128 levels is refused, and so is what could be read in so many ways that nobody would
//! wait for it; how long it is has no limit but what the reply had.

mod argument;
mod bounds;
mod constant;
mod distinct;
mod object;
mod parameter;
mod place;
mod probe;
mod problem;
mod scan;
mod shown;
mod table;
mod walk;
mod whole;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::argument::parameter;
pub use self::bounds::{Items, Length, List, Number, Pattern, Range, Text};
pub use self::constant::{FromText, from_text, must};
use self::object::Arguments;
pub(crate) use self::object::are_left_out;
pub use self::parameter::{Parameter, with_items, with_length, with_range};
pub use self::probe::{Probe, ProbeOtherwise};
use self::problem::{Problems, misread};
use self::scan::scan;
pub use self::shown::{
    ShowNothing, ShowSerialize, ShowUnit, ShowUnknown, Shown, ShownTag, UnitEnum,
};
pub use self::table::Parameters;
pub use self::whole::{ToolInput, Whole, whole};
use crate::schema::InputSchema;
use crate::tool::{ToolDefinition, ToolError};

/// The model's arguments, and the schema that it was told of.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    schema: &'a InputSchema,
    text: &'a str,
}

impl<'a> Input<'a> {
    /// Those of a call of this tool.
    #[must_use]
    pub fn new(definition: &'a ToolDefinition, text: &'a str) -> Self {
        Self {
            schema: definition.schema(),
            text: object::or_empty(text),
        }
    }
}

/// Reads the arguments that a function's parameters ask for.
///
/// # Errors
/// All problems, one a line: keys that are missing, that do not fit, and that no parameter has.
pub fn read<P: Parameters>(parameters: &P, input: Input<'_>) -> Result<P::Values, ToolError> {
    match read_plain(parameters, input) {
        Some(values) => Ok(values),
        None => read_thoroughly(parameters, input),
    }
}

/// The first pass: each value is read where it stands, into its place. Only where the types refuse all
/// that the schema refuses.
#[inline]
fn read_plain<P: Parameters>(parameters: &P, input: Input<'_>) -> Option<P::Values> {
    let shapes = input.schema.shapes()?;
    let mut slots = P::slots();
    scan(input.text, &mut |key, rest| {
        parameters.fill(shapes, &mut slots, key, rest)
    })?;
    parameters.values(slots)
}

/// The second pass: a walk along the schema, and then each value by itself.
#[cold]
fn read_thoroughly<P: Parameters>(
    parameters: &P,
    input: Input<'_>,
) -> Result<P::Values, ToolError> {
    let arguments = Arguments::new(input.schema, input.text)?;
    // What the types find beside what the walk has found.
    let mut found = Problems::default();
    let values = parameters.read(&arguments, &mut found);
    let mut problems = arguments.into_problems();
    problems.append(found);
    match values {
        Some(values) if problems.is_empty() => Ok(values),
        _ => Err(problems.into_error()),
    }
}

/// Reads the arguments as one type. `Value` and `Box<RawValue>` get the model's text as it is; where
/// the model sent nothing, that is the empty object.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn read_whole<T: DeserializeOwned>(input: Input<'_>) -> Result<T, ToolError> {
    read_along(input.schema.judge(), input.text)
}

/// Reads any JSON as one type, along the schema of that type.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_along<T: DeserializeOwned>(schema: &Value, text: &str) -> Result<T, ToolError> {
    let walked = check(schema, text)?;
    serde_json::from_str(text)
        .or_else(|error| serde_json::from_str(&walked.value.to_string()).map_err(|_| error))
        .map_err(|error| misread(text, &error))
}

/// Looks at a text along its schema alone.
///
/// # Errors
/// What is wrong with it.
fn check(schema: &Value, text: &str) -> Result<walk::Walked, ToolError> {
    let walked = walk::walk(schema, text)?;
    if walked.problems.is_empty() {
        Ok(walked)
    } else {
        Err(walked.problems.into_error())
    }
}

/// What is wrong with a value that a schema within `root` has to allow.
pub(crate) fn misfit(root: &Value, schema: &Value, value: &Value) -> Option<String> {
    let problems = walk::walk_value(root, schema, value.clone());
    (!problems.is_empty()).then(|| problems.into_error().message().replace('\n', ", "))
}

/// What the schema alone says of the arguments, if they cannot be right.
pub(crate) fn refusal(input: Input<'_>) -> Option<ToolError> {
    check(input.schema.judge(), input.text).err()
}

/// Reads a text along the schema that the parameters have.
#[cfg(test)]
pub(crate) fn read_text<P: Parameters>(parameters: &P, text: &str) -> Result<P::Values, ToolError> {
    let definition = crate::tool::define("t", "", parameters);
    read(parameters, Input::new(&definition, text))
}

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
