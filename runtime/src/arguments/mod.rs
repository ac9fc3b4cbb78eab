//! From the model's JSON to the arguments of a function, with all that is wrong with it said at once.
//!
//! There are two passes along the table of parameters. The first is fast, takes only what is right in every way, and
//! has no words. Where it gives up, the second reads everything again and finds every problem. What the first takes,
//! the second would take too, with the same values.

mod argument;
mod bounds;
mod constant;
mod object;
mod parameter;
mod probe;
mod problem;
mod scan;
mod shown;
mod table;

use serde::de::DeserializeOwned;

pub use self::argument::parameter;
pub use self::bounds::{Items, Length, List, Number, Pattern, Range, Text};
pub use self::constant::{FromText, from_text, must};
use self::object::Object;
pub use self::parameter::{Parameter, with_items, with_length, with_range};
pub use self::probe::{Probe, ProbeOtherwise};
use self::problem::Problems;
use self::scan::scan;
pub use self::shown::{ShowSerialize, ShowUnit, ShowUnknown, Shown, ShownTag, UnitEnum};
pub use self::table::Parameters;
use crate::tool::ToolError;

/// Reads the arguments that a function's parameters ask for.
///
/// # Errors
/// All problems, one a line: keys that are missing, that do not fit, and that no parameter has.
pub fn read<P: Parameters>(parameters: &P, input: &str) -> Result<P::Values, ToolError> {
    match read_plain(parameters, input) {
        Some(values) => Ok(values),
        None => read_thoroughly(parameters, input),
    }
}

/// The first pass: each value is read where it stands, into its place.
#[inline]
fn read_plain<P: Parameters>(parameters: &P, input: &str) -> Option<P::Values> {
    let mut slots = P::slots();
    scan(input, &mut |key, rest| {
        parameters.fill(&mut slots, key, rest)
    })?;
    parameters.values(slots)
}

/// The second pass: the object is taken apart first, so that each key can be looked at by itself.
#[cold]
fn read_thoroughly<P: Parameters>(parameters: &P, input: &str) -> Result<P::Values, ToolError> {
    let mut problems = Problems::default();
    let object = Object::parse(input).map_err(ToolError::invalid_input)?;
    let values = parameters.read(&object, &mut problems);
    problems.unknown_keys(&object, &keys_of(parameters));
    match values {
        Some(values) if problems.is_empty() => Ok(values),
        _ => Err(problems.into_error()),
    }
}

fn keys_of(parameters: &impl Parameters) -> Vec<&'static str> {
    let mut keys = Vec::new();
    parameters.keys(&mut keys);
    keys
}

/// Reads the arguments as one type. `Value` and `Box<RawValue>` get the model's text as it is; where
/// the model sent nothing, that is the empty object.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn read_whole<T: DeserializeOwned>(input: &str) -> Result<T, ToolError> {
    let input = if object::is_nothing(input) {
        "{}"
    } else {
        input
    };
    if !input.trim_start().starts_with('{') {
        // For the words about what came instead.
        Object::parse(input).map_err(ToolError::invalid_input)?;
    }
    serde_json::from_str(input).map_err(|error| ToolError::invalid_input(problem::of_whole(&error)))
}

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
