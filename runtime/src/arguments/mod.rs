//! From the model's JSON to the arguments of a function, with all that is wrong with it said at once.

mod argument;
mod object;
mod problem;

use serde::de::DeserializeOwned;

pub use self::argument::{Parameter, Parameters, parameter};
use self::object::Object;
use self::problem::Problems;
use crate::tool::ToolError;

/// Reads the arguments that a function's parameters ask for.
///
/// # Errors
/// All problems, one a line: keys that are missing, that do not fit, and that no parameter has.
pub fn read<P: Parameters>(parameters: &P, input: &str) -> Result<P::Values, ToolError> {
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
    parameters.for_each(&mut |property| keys.push(property.key));
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
mod tests;
